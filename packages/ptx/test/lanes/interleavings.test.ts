// Verdicts about lanes against a search of all interleavings of them, which shares no code with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { allOrders } from './all-orders.ts';
import { LANES, programs, textOf } from './programs.ts';
import type { LaneProgram } from './programs.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123);

async function verdictOf(program: LaneProgram) {
  const launch = { grid: [1, 1, 1], block: [32 + LANES, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'lanes.ptx', text: textOf(program) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return check(kernel, { sizes: 'requested' });
}

test('a kernel is certified where no interleaving of its lanes has a race or an end', async () => {
  const counted = { certified: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const { race, deadlock } = allOrders(program);
      const { verdict, findings, reason } = await verdictOf(program);
      const why = `${textOf(program)}\n${findings[0]?.message ?? reason}`;
      if (race || deadlock) {
        assert.notEqual(verdict, 'certified', why);
        counted.rejected++;
      } else {
        assert.equal(verdict, 'certified', why);
        counted.certified++;
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  assert.ok(counted.certified > RUNS / 20 && counted.rejected > RUNS / 20, JSON.stringify(counted));
});
