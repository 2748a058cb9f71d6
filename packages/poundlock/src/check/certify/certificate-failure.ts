// Why a run certifies nothing, and how a run is ended there.
import type { Condition } from './barrier-history.ts';

/** Why a run certifies nothing. */
export interface FailedCondition {
  /**
   * The condition that failed; `choice`: there is more than one way to go on; `again`: the program
   * showed something that the next run has room for; `fault`: the run itself breaks a rule.
   */
  readonly condition: Condition | 'unsupported' | 'choice' | 'again' | 'fault' | 'bound';
  /** In one sentence. */
  readonly why: string;
}

/** Thrown inside the run to end it. */
export class CertificateFailure extends Error {
  readonly failure: FailedCondition;
  constructor(condition: FailedCondition['condition'], why: string) {
    super(why);
    this.failure = { condition, why };
  }
}
