// The kernels of turns.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'turns.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

const LOCK = { kind: 'pointer', bytes: 4, int32: [0] };
const FLAGS = { kind: 'pointer', bytes: 16, int32: [0, 0, 0, 0] };
const BUFFER = { kind: 'pointer', bytes: 1024 };
const APART = /only the first cluster is executed/;

/** The kernels, and what their verdicts say: of correct ones what they assume. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  spin_lock: null,
  spin_lock_fence_bug: /^relaxed-signal: cta1\.warp0\b.*\bcta0\.warp0\b/,
  spin_lock_meet_bug: /^race: cta1\.warp1\b.*\bcta0\.warp1\b/,
  spin_lock_held_bug: /^deadlock: /,
  pausing_lock: null,
  block_lock: null,
  serial_sum: null,
  serial_sum_acquire_bug: /^relaxed-signal: /,
  serial_sum_release_bug: /^relaxed-signal: .* arrival\b/,
  serial_sum_number_bug: /^deadlock: /,
  ahead_sum: null,
  ahead_sum_early_bug: /^(race|unjoined-lanes): /,
  flags_all: null,
  flags_all_meet_bug: /^(race|unjoined-lanes): /,
  flags_all_release_bug: /^relaxed-signal: .* arrival\b/,
  grid_sync: null,
  grid_sync_block_bug: /^(race|deadlock): /,
  grid_sync_thread_bug: /^race: cta1\.warp0\b.*\bcta0\.warp1\b/,
  counted: null,
  counted_bug: /^race: cta1\.warp0\b.*\bcta0\.warp1\b/,
};

for (const [entry, expected] of Object.entries(KERNELS))
  test(`blocks take turns: ${entry}`, async () => {
    const isOfGrid = /^(grid|count)/.test(entry);
    const isOfFlags = entry.startsWith('flags');
    const launch = {
      grid: [2, 1, 1],
      block: [64, 1, 1],
      cooperative: isOfGrid,
      params: isOfGrid ? [BUFFER, BUFFER] : [BUFFER, BUFFER, isOfFlags ? FLAGS : LOCK],
    };
    const { verdict, findings, reason, scope } = await check(
      ptxKernel({
        ptx: { file: FILE, text },
        launch: { file: 'launch.json', text: JSON.stringify(launch) },
        entry,
      }),
    );
    const words =
      findings[0] === undefined ? reason : `${findings[0].rule}: ${findings[0].message}`;
    assert.equal(verdict, expected === null ? 'certified' : 'counterexample', words);
    if (expected === null)
      assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('; '), APART);
    else assert.match(words!, expected);
  });

test('a lock needs no blocks at the same time: who holds it runs', async () => {
  const params = [BUFFER, BUFFER, LOCK];
  const launch = { grid: [3, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: FILE, text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
    entry: 'pausing_lock',
  });
  const { verdict, scope } = await check(kernel);
  assert.equal(verdict, 'certified');
  assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('; '), /at the same time/);
});
