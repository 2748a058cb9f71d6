// tier: deep
// Meetings, lives and other CTAs: a search with reduction says what one without it says.
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { meetings, meetingsKernel, type Meetings } from './random-meetings.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 600);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_129);
const BOUNDS = { memory: 'none', maxStates: 60_000 } as const;

async function compare(program: Meetings, seen: Map<string, number>): Promise<void> {
  const target = meetingsKernel(program);
  const full = await check(target, { ...BOUNDS, engine: 'search' });
  if (full.verdict === 'inconclusive') return;
  const reduced = await check(target, { ...BOUNDS, engine: 'reduced' });
  const [first] = full.findings;
  const what = full.verdict === 'certified' ? 'certified' : first!.rule;
  seen.set(what, (seen.get(what) ?? 0) + 1);
  assert.equal(reduced.verdict, full.verdict, first?.message);
  const names = ({ scope }: typeof full): string[] => scope.assumptions.map(({ name }) => name);
  if (full.verdict !== 'certified') return;
  assert.deepEqual(names(reduced).toSorted(), names(full).toSorted());
}

test('both searches agree where roles meet, and lives begin and end', async (t) => {
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(meetings, (program) => compare(program, seen));
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)));
  for (const what of ['certified', 'deadlock', 'race', 'missing-drain'])
    assert.ok((seen.get(what) ?? 0) > 0, what);
});
