// The kernels of carried.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'carried.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

const BUFFER = { kind: 'pointer', bytes: 4096 };
const WORDS = { kind: 'pointer', bytes: 16, int32: [0, 0, 0, 0] };

/** How many blocks and threads each family has. */
const LAUNCHES: Readonly<Record<string, readonly [number, number]>> = {
  sums: [3, 64],
  chain: [3, 64],
  copied: [2, 64],
  part: [2, 96],
};

/** What the findings of wrong kernels say. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  sums: null,
  sums_fence_bug: /^relaxed-signal: /,
  chain: null,
  chain_release_bug: /^relaxed-signal: cta2\.warp\d.*\bcta0\.warp\d/,
  chain_acquire_bug: /^relaxed-signal: cta2\.warp\d.*\bcta0\.warp\d/,
  copied: null,
  copied_release_bug: /^relaxed-signal: .*\bcta1\.warp0\b/,
  part: null,
  part_fence_bug: /^relaxed-signal: /,
};

for (const [entry, expected] of Object.entries(KERNELS))
  test(`a flag carries memory: ${entry}`, async () => {
    const [blocks, threads] = LAUNCHES[entry.split('_', 1)[0]!]!;
    const launch = {
      grid: [blocks, 1, 1],
      block: [threads, 1, 1],
      params: [BUFFER, BUFFER, WORDS],
    };
    const { verdict, findings, reason, scope } = await check(
      ptxKernel({
        ptx: { file: FILE, text },
        launch: { file: 'launch.json', text: JSON.stringify(launch) },
        entry,
      }),
    );
    const [first] = findings;
    const words = first === undefined ? reason : `${first.rule}: ${first.message}`;
    assert.equal(verdict, expected === null ? 'certified' : 'counterexample', words);
    if (expected === null)
      assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('; '), /the first/);
    else assert.match(words!, expected);
  });
