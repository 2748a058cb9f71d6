// Drives a certifying run to its end, in slices, and again where it has to know more beforehand.
import type { Program } from '../../program/index.ts';
import { formatNumber } from '../../system/index.ts';
import { CERTIFY_SLICE, DEFAULT_MAX_EVENTS, type CheckOptions } from '../options.ts';
import { CertifyingRun } from './run.ts';
import { nothingLearned } from './run-state.ts';
import type { Undecided } from './stop.ts';

export interface Proof {
  /** Why the run proves nothing; `null` when it proves the program right. */
  readonly undecided: Undecided | null;
  /** The bound that ended the run. */
  readonly stop: string | null;
  readonly run: CertifyingRun;
}

/** Runs `program` once; `stopReason` is asked between slices whether to go on. */
export async function prove(
  program: Program,
  { maxEvents = DEFAULT_MAX_EVENTS, pause }: Pick<CheckOptions, 'maxEvents' | 'pause'>,
  stopReason: () => string | null,
): Promise<Proof> {
  const learned = nothingLearned();
  let run = new CertifyingRun(program, learned);
  for (;;) {
    const undecided = run.run(CERTIFY_SLICE);
    if (undecided === null) return { undecided, stop: null, run };
    if (undecided === 'running') {
      await pause?.();
      let stop = stopReason();
      if (run.events > maxEvents) {
        stop = `the bound max-events of ${formatNumber(maxEvents)} was reached`;
      }
      if (stop !== null) return { undecided: null, stop, run };
    } else if (undecided.condition === 'again') run = new CertifyingRun(program, learned);
    else return { undecided, stop: null, run };
  }
}
