// Why a run certifies nothing, and how a run is ended there.
import type { Condition } from './barrier-history.ts';

/** Why a run certifies nothing. */
export interface Undecided {
  readonly condition: Condition | 'unsupported' | 'fault' | 'bound' | 'lives';
  /** In one sentence. */
  readonly why: string;
}

/** Thrown inside the run to end it. */
export class Stop extends Error {
  readonly undecided: Undecided;
  constructor(condition: Undecided['condition'], why: string) {
    super(why);
    this.undecided = { condition, why };
  }
}
