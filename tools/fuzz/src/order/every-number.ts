// Asks for a proof for every number, and holds it against the dull search of each number.
import type { Checker } from '../checker.ts';
import { toCountingKernel, type DullProgram } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import type { Looked } from '../looked.ts';
import { kindsOf, randomProgram } from './random-program.ts';

const MAX_DULL_STATES = 3_000;
/** Numbers that are searched one by one: more than the laps of any ring of these programs. */
const NUMBERS = 6;
const BOUNDS = { maxEvents: 20_000, maxStates: 20_000, timeoutMs: 3_000 };

/** Programs with a loop and a count. */
export const counting = randomProgram.filter((program) => {
  return program.counts.length > 0 && kindsOf(program).has('loop');
});

/** Asks for every number, and searches for each. */
export async function lookAtEvery(check: Checker, program: DullProgram): Promise<Looked> {
  const options = { memory: 'none', every: 'n', ...BOUNDS } as const;
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
  return { verdict: isEvery ? 'every' : verdict, fault: '' };
}
