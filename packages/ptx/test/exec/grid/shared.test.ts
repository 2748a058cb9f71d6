// The kernels of shared.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'shared.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

/** The kernels, and what their verdicts say. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  flag: null,
  flag_meet_bug: /^race: .*\bflag\b/,
  flag_fence_bug: /^relaxed-signal: .*\btile\b/,
  flag_silent_bug: /^deadlock: warp1 waits for the value 1 of flag\b/,
  lock: null,
  lock_meet_bug: /^race: warp0 can write lock\b/,
  lock_fence_bug: /^relaxed-signal: .*\bsum\b/,
  lock_held_bug: /^deadlock: /,
  ring: null,
  ring_bug: /^race: .*\btile\b/,
};

function verdictOf(entry: string, blocks = 1) {
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
  return check(
    ptxKernel({
      ptx: { file: FILE, text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
      entry,
    }),
  );
}

for (const [entry, expected] of Object.entries(KERNELS))
  test(`warps wait for words of shared memory: ${entry}`, async () => {
    const { verdict, findings, reason, scope } = await verdictOf(entry);
    const [finding] = findings;
    const words = finding === undefined ? reason : `${finding.rule}: ${finding.message}`;
    assert.equal(verdict, expected === null ? 'certified' : 'counterexample', words);
    if (expected !== null) assert.match(words!, expected);
    else assert.deepEqual(scope.assumptions, []);
  });

test('a flag that nothing sets at first is not followed', async () => {
  const { verdict } = await verdictOf('flag_begin_bug');
  assert.equal(verdict, 'inconclusive');
});

test('a word that a store of two words changes, too, is not followed', async () => {
  const { verdict, reason } = await verdictOf('both');
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /^a word of shared memory that warps wait for is written with what is beside/,
  );
});

test('each block has its own words, and their stores meet where blocks store alike', async () => {
  const { verdict, findings, reason } = await verdictOf('lock_fence_bug', 2);
  assert.equal(verdict, 'counterexample', reason);
  assert.equal(findings[0]!.rule, 'relaxed-signal');
});
