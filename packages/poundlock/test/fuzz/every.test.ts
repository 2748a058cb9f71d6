// Random programs that count: a proof for every number agrees with the dull search of each number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import { toCountingKernel, type DullProgram } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import { minimise } from './minimise.ts';
import { kindsOf, randomProgram } from './random-program.ts';
import { RUNS, SEED, sized } from './runs.ts';

const MAX_DULL_STATES = 3_000;
/** Numbers that are searched one by one: more than the laps of any ring of these programs. */
const NUMBERS = 6;
const BOUNDS = { maxEvents: 20_000, maxStates: 20_000, timeoutMs: 3_000 };

const counting = randomProgram.filter((program) => {
  return program.counts.length > 0 && kindsOf(program).has('loop');
});

interface Looked {
  readonly verdict: string;
  readonly fault: string | null;
}

/** Asks for every number, and searches for each. */
async function look(program: DullProgram): Promise<Looked> {
  const now = () => performance.now();
  const options = { every: 'n', now, ...BOUNDS };
  const { verdict, params, scope } = await check(toCountingKernel(program), options);
  const isEvery = verdict === 'certified' && scope.every.length === 1;
  const tried = isEvery ? NUMBERS : verdict === 'counterexample' ? Number(params['n']) : -1;
  for (let n = 0; n <= tried; n++) {
    const dull = dullSearch({ ...program, counts: program.counts.with(0, n) }, MAX_DULL_STATES);
    if (dull.verdict === 'skipped') break;
    const isWrong = dull.verdict === 'counterexample';
    const shouldBeWrong = verdict === 'counterexample' && n === tried;
    if (isWrong === shouldBeWrong) continue;
    const rules = [...dull.rules].join(' ');
    return { verdict, fault: `${verdict} for ${tried}, but ${n} is ${dull.verdict} (${rules})` };
  }
  return { verdict: isEvery ? 'every' : verdict, fault: null };
}

test('a proof for every number holds for each', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(counting, async (program) => {
      const { verdict, fault } = await look(program);
      counted[verdict] = (counted[verdict] ?? 0) + 1;
      if (fault === null) return;
      const small = await minimise(program, async (one) => {
        return one.counts.length > 0 && (await look(one)).fault !== null;
      });
      assert.fail(`${(await look(small)).fault}\n${JSON.stringify(small)}`);
    }),
    sized(SEED, Math.ceil(RUNS / 4)),
  );
  t.diagnostic(JSON.stringify(counted));
  if (RUNS >= 400) assert.ok(counted['every']! > RUNS / 40, 'too few proofs for every number');
});
