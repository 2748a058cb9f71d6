// The kernels of work.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'work.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

const BUFFER = { kind: 'pointer', bytes: 4096 };
const WORDS = { kind: 'pointer', bytes: 16, int32: [0, 0, 0, 0] };
const TWO = { kind: 'scalar', value: 2 };
const APART = /only the first cluster is executed/;

/** The parameters of each family of kernels, and how many blocks there are. */
const LAUNCHES: Readonly<Record<string, readonly [number, readonly object[]]>> = {
  draws: [2, [BUFFER, BUFFER, WORDS, TWO]],
  sums: [4, [BUFFER, BUFFER, WORDS, TWO]],
  scan: [4, [WORDS, BUFFER, BUFFER, BUFFER]],
  polls: [3, [BUFFER, WORDS]],
};

/** What the findings of wrong kernels say. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  draws: null,
  draws_ahead: null,
  draws_early_bug: /^race: .* tile|drawn/,
  draws_rows_bug: /^race: cta/,
  sums: null,
  sums_fence_bug: /^relaxed-signal: /,
  sums_meet_bug: /^(race|unjoined-lanes): /,
  scan: null,
  scan_fence_bug: /^relaxed-signal: /,
  scan_flag_bug: /^(race|relaxed-signal): /,
  polls_add: null,
  polls_add_bug: /^relaxed-signal: /,
  polls_cas: null,
  polls_or: null,
};

for (const [entry, expected] of Object.entries(KERNELS))
  test(`blocks share work: ${entry}`, async () => {
    const [blocks, params] = LAUNCHES[entry.split('_', 1)[0]!]!;
    const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
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
      assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('; '), APART);
    else assert.match(words!, expected);
  });

for (const entry of ['draws', 'draws_early_bug'])
  test(`one block draws all tiles: ${entry}`, async () => {
    const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: LAUNCHES['draws']![1] };
    const { verdict, reason, findings } = await check(
      ptxKernel({
        ptx: { file: FILE, text },
        launch: { file: 'launch.json', text: JSON.stringify(launch) },
        entry,
      }),
    );
    const isRight = entry === 'draws';
    assert.equal(verdict, isRight ? 'certified' : 'counterexample', reason ?? findings[0]?.message);
    if (!isRight) assert.equal(findings[0]!.rule, 'race');
  });
