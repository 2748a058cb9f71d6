// The other ways of a run: it is made again with each answer to what the launch leaves open.
import type { Ways } from '@poundlock/core/internal/program';
import type { RunBounds } from '../exec/machine/execute.ts';
import type { RunWith } from '../paths/closed.ts';
import { otherWays } from '../paths/ways.ts';
import type { Answers } from '../steps/decision.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { isNoTimeout, kernelsOf, lateWarps } from './other-runs.ts';

/** The most instructions of a way that unknown data decides, beside the first. */
export const MAX_WAY = 5_000_000;

/** How a run is made again. */
export interface Again {
  readonly runWith: (changed: Partial<RunBounds>) => ExecutedRun;
  readonly maxInstructions: number;
  readonly shouldStop: () => boolean;
}

/** The other ways of a run, as kernels. */
export function othersOf(
  name: string,
  run: ExecutedRun,
  { runWith, maxInstructions, shouldStop }: Again,
): Ways['others'] {
  return ({ isOver, isOfIsa, endsWaits }) => {
    const most = Math.min(maxInstructions, MAX_WAY);
    const isLate = (): boolean => isOver() || shouldStop();
    const way = { isOver: isLate, maxInstructions: most, isWay: true, endsWaits };
    const other = (answers: () => Answers): ExecutedRun => {
      const found = runWith({ ...way, answers });
      const late = lateWarps(found);
      if (late.size === 0) return found;
      const early = runWith({ ...way, answers, early: late });
      return lateWarps(early).size === 0 ? early : found;
    };
    const cut: RunWith = ({ cuts }) => runWith({ ...way, cuts });
    const base = endsWaits ? { ...run, decisions: run.decisions.filter(isNoTimeout) } : run;
    const all = otherWays(base, other, isOfIsa ? null : cut);
    return kernelsOf(name, run.coverage.reached, all);
  };
}
