// The kernels of patterns.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'patterns.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

const BUFFER = { kind: 'pointer', bytes: 4096 };
const WORDS = { kind: 'pointer', bytes: 16, int32: [0, 0, 0, 0] };
const TWO = { kind: 'scalar', value: 2 };

/** The parameters of each family of kernels, and how many blocks there are. */
const LAUNCHES: Readonly<Record<string, readonly [number, readonly object[]]>> = {
  streamk: [4, [BUFFER, BUFFER, WORDS, TWO]],
  barrier: [2, [BUFFER, BUFFER, WORDS]],
  tiles: [2, [BUFFER, WORDS, TWO]],
};

/** What the findings of wrong kernels say. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  streamk: null,
  streamk_fence_bug: /^relaxed-signal: /,
  streamk_look_bug: /^race: /,
  streamk_peers_bug: /^race: /,
  barrier: null,
  barrier_fence_bug: /^relaxed-signal: /,
  barrier_reset_bug: /^deadlock: /,
  barrier_unfenced_bug: /^relaxed-signal: cta\d\.warp0 .*\bparam_2\/4/,
  barrier_late_bug: /^race: /,
  barrier_many_bug: /^deadlock: /,
  barrier_few_bug: /^(race|deadlock): /,
  tiles: null,
  tiles_reset_bug: /^race: /,
};

for (const [entry, expected] of Object.entries(KERNELS))
  test(`blocks depend on one another: ${entry}`, async () => {
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
      assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('; '), /the first/);
    else assert.match(words!, expected);
  });

test('a time limit that ends a later order of the blocks leaves the verdict open', async () => {
  const [blocks, params] = LAUNCHES['barrier']!;
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
  const kernelOf = (shouldStop: () => boolean) =>
    ptxKernel({
      ptx: { file: FILE, text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
      entry: 'barrier',
      shouldStop,
    });
  let polls = 0;
  const whole = await check(kernelOf(() => ++polls < 0));
  assert.equal(whole.verdict, 'certified');
  const last = polls;
  polls = 0;
  const { verdict, reason } = await check(kernelOf(() => ++polls === last));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /time limit/);
});
