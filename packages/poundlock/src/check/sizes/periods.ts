// A kernel as built for every value of a parameter: its run repeats itself as the value grows.
import { grouped, rangesOf } from '@poundlock/core/internal/base';
import type { Assumption, RepeatedSizes } from '@poundlock/core/internal/finding';
import { resolveParameters, type Periods } from '@poundlock/core/internal/program';
import { assumptionsOf, placed } from '../reference.ts';
import { proveCounting } from './symbolic-proof.ts';
import type { SizeChecker } from './try-size.ts';

/** What is known of every value: the periods that were proved, or why there are none. */
export type PeriodicProof =
  | { readonly periods: Periods; readonly why: null }
  | { readonly periods: null; readonly why: string };

const AS_BUILT = 'a kernel as built is run once for each number';

/** Proves all values from one on, with as many proofs as a period has values. */
export async function proveByPeriods(checker: SizeChecker, every: string): Promise<PeriodicProof> {
  const { kernel, params, budget } = checker;
  const isOver = (): boolean => budget.stopReason() !== null;
  const periods = kernel.periods?.(every, params.values, isOver) ?? null;
  if (periods === null)
    return { periods: null, why: `${AS_BUILT}, and no period is seen in what its warps do` };
  for (const { kernel: one, first, reference } of periods.kernels) {
    const target = { ...checker, kernel: one, params: resolveParameters(one, {}) };
    checker.covered.addRun(reference, ` ${JSON.stringify({ ...params.values, [every]: first })}`);
    const { explored, plainUse } = await proveCounting(target, 'periods', 0);
    const why = explored === null ? plainUse : explored.proof.failure?.why;
    if (why !== undefined) {
      const which = `${every}=${first}, ${first + periods.step}, …`;
      return { periods: null, why: `${AS_BUILT}; for ${which} at once no proof is found: ${why}` };
    }
  }
  return { periods, why: null };
}

/** What the proof of all values rests on: what its runs assumed, and that they go on alike. */
export function assumptionsOfPeriods(every: string, periods: Periods): Assumption[] {
  const { from, step, last, beyond, most, kernels } = periods;
  const repeats = `what each warp does repeats with period ${step} in ${every} from ${from} on`;
  return [
    ...kernels.flatMap(({ reference }) => assumptionsOf(reference)),
    most === null
      ? {
          name: 'period',
          text:
            `${repeats}, as it does up to ${last} and for ${rangesOf(beyond)}: seen, not ` +
            `proved`,
        }
      : {
          name: 'largest-size',
          text: `${every} is at most ${grouped(most)}: up to there it is proved that ${repeats}`,
        },
  ];
}

/** The same for programs that read the result. */
export function repeatedSizes(every: string, periods: Periods): RepeatedSizes {
  const { from, step, most, unproved } = periods;
  const own = { parameter: every, from, step, most };
  return unproved === null ? own : { ...own, reason: placed(unproved) };
}
