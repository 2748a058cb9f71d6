// Practice H9: exchanges of values between lanes count as joins, which the ISA does not promise.
import { exchangesValues } from '../isa/questions.ts';
import type { Assumption, ReferenceRun, WarpSteps } from '../steps/run.ts';

/** Whether one list of steps stands for all lanes of a warp. */
type StandsForAll = (warp: WarpSteps) => boolean;

/** The assumption that a run makes if the lanes of some warp rely on exchanges as joins. */
export function practiceOf(run: ReferenceRun, standsForAll: StandsForAll): Assumption[] {
  // Exchanges join lanes in practice; `bar.warp.sync` does so by the ISA.
  const isExchange = (at: number): boolean => {
    const effect = run.effectOf(at);
    return effect !== null && exchangesValues({ effect });
  };
  const known = new Map<number, boolean>();
  const places = new Set<number>();
  for (const warp of run.warps) {
    const joins = warp.steps.flatMap(({ op, at }) => (op === 'join' ? [at] : []));
    for (const at of joins) if (!known.has(at)) known.set(at, isExchange(at));
    const exchanges = joins.filter((at) => known.get(at));
    if (exchanges.length === 0) continue;
    const steps = warp.steps.filter(({ op, at }) => op !== 'join' || !known.get(at)!);
    if (standsForAll({ ...warp, steps })) continue;
    for (const at of exchanges) places.add(at);
  }
  const [first] = places;
  if (first === undefined) return [];
  const count = `${places.size} ${places.size === 1 ? 'place' : 'places'}`;
  const text =
    'H9 holds, which the PTX ISA does not promise: an exchange between lanes, such as shfl, ' +
    `orders their accesses to memory (${count})`;
  return [{ name: 'H9', at: first, text }];
}
