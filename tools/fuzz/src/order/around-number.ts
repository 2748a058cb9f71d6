// Sizes around the one that was asked for: each that a verdict names, held against the dull search.
import type { Checker } from '../checker.ts';
import { toCountingKernel, type DullProgram } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import type { Looked } from '../looked.ts';

const MAX_DULL_STATES = 600;
const LARGEST = 8;
const BOUNDS = { maxEvents: 20_000, maxStates: 20_000, timeoutMs: 2_000 };

/** Checks a program that counts as users do, with the sizes around its own. */
export async function lookAround(check: Checker, program: DullProgram): Promise<Looked> {
  const result = await check(toCountingKernel(program), { memory: 'none', ...BOUNDS });
  const { verdict, params, scope } = result;
  if (verdict === 'inconclusive') return { verdict, fault: '' };
  const size = Number(result.findings[0]?.params?.['n'] ?? params['n']);
  const others = scope.sizes.find(({ parameter }) => parameter === 'n')?.certified ?? [];
  const right = verdict === 'certified' ? [size, ...others] : others;
  let searched = 0;
  for (const n of verdict === 'counterexample' ? [...right, size] : right) {
    if (n > LARGEST) continue;
    const dull = dullSearch({ ...program, counts: program.counts.with(0, n) }, MAX_DULL_STATES);
    if (dull.verdict === 'skipped') continue;
    searched++;
    const expected = verdict === 'counterexample' && n === size ? verdict : 'certified';
    if (dull.verdict === expected) continue;
    const rules = [...dull.rules].join(' ');
    return { verdict, fault: `${verdict} for ${n}, which is ${dull.verdict} (${rules})` };
  }
  if (searched === 0) return { verdict: 'skipped', fault: '' };
  const isOther = verdict === 'counterexample' && size !== program.counts[0];
  return { verdict: isOther ? 'other-size' : verdict, fault: '' };
}
