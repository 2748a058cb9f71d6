// Where a role stands matters: at a try for a phase that is still open, and at a wait that is skipped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { compare, type DullProgram } from '@poundlock/fuzz/internal/order';
import { barrier, commit, kernel, role, tryWait, UNITS } from 'poundlock';
import { checker } from '../../fuzz/checker.ts';

const early = kernel('early', {}, () => {
  const done = barrier('done');
  return [
    role('issue', function* () {
      commit(UNITS.mma, done);
      // Phase 0 may not be over: then the parity is that of phase −1, and the try passes.
      yield* tryWait(done, 1);
    }),
  ];
});

test('L: a try for the open phase must know that the phase before is over', async () => {
  const proof = await check(early, { engine: 'certify' });
  assert.equal(proof.verdict, 'inconclusive');
  const { verdict, findings } = await check(early);
  assert.equal(verdict, 'counterexample');
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['false-pass'],
  );
});

/** One role skips the wait for a stage, another ends the barrier that it would have waited for. */
const skipped: DullProgram = {
  barriers: [],
  buffers: 0,
  cells: [],
  rings: [
    { stages: 1, bytes: 8, advance: 'acquire', barriers: 'parity', producers: 1, consumers: 1 },
  ],
  pools: [],
  counts: [],
  roles: [
    {
      cta: 0,
      lanes: 1,
      spawned: false,
      body: [{ do: 'waitSide', ring: 0, side: 'produce', ready: 'yes' }],
    },
    { cta: 0, lanes: 1, spawned: false, body: [{ do: 'invalidate', bar: 1 }] },
  ],
};

test('R08: a wait that is skipped reaches nothing, so that its barrier may be gone', async () => {
  const { faults, verdicts } = await compare(checker, skipped);
  assert.deepEqual(faults, []);
  assert.equal(verdicts['search'], 'certified');
});
