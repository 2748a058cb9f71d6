// Which warps hold columns of tensor memory at the end of a run, for what waits for more.
import { list } from '@poundlock/core/internal/system';
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';

/** Columns of the tensor memory of a CTA. */
const COLUMNS = 512;

/** The columns that the warps of a run have allocated and not given back. */
export class HeldColumns {
  readonly #run: ReferenceRun;
  readonly #names: readonly string[];

  constructor(run: ReferenceRun, names: readonly string[]) {
    this.#run = run;
    this.#names = names;
  }

  /** `512 of 512 are held by warp0`. */
  heldText(cta: number): string {
    const holders: string[] = [];
    let all = 0;
    for (const [index, warp] of this.#run.warps.entries()) {
      const held = warp.cta === cta ? columnsOf(warp) : 0;
      all += held;
      if (held > 0) holders.push(this.#names[index]!);
    }
    const by = holders.length === 0 ? '' : ` by ${list(holders)}`;
    return `${all} of ${COLUMNS} are held${by}`;
  }
}

function columnsOf({ steps }: WarpSteps): number {
  let held = 0;
  for (const step of steps) {
    if (step.op === 'allocate' && step.column >= 0) held += step.columns;
    if (step.op === 'free') held -= step.columns;
  }
  return held;
}
