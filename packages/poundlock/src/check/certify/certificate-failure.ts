// Why a run certifies nothing, and how a run is ended there.
import type { Condition } from './barrier-history.ts';
import type { MemoryFault } from './memory/fault.ts';

/** Why a run certifies nothing. */
export interface FailedCondition {
  /**
   * The condition that failed; `choice`: there is more than one way to go on; `again`: the program
   * showed something that the next run has room for; `fault`: the run itself breaks a rule.
   */
  readonly condition:
    | Condition
    /** Some order in which roles take registers gets stuck (Q04). */
    | 'Q'
    | 'unsupported'
    | 'choice'
    | 'again'
    | 'fault'
    | 'bound'
    /** What is ordered is not known at the level that it must be (K04). */
    | 'memory';
  /** In one sentence. */
  readonly why: string;
  readonly memory?: MemoryFault;
  /** The named barrier whose uses can meet, the role that comes, and those that came before. */
  readonly named?: NamedMeeting;
}

/** Two uses of a named barrier that can meet in one instance (N05). */
export interface NamedMeeting {
  readonly target: number;
  readonly role: number;
  readonly others: readonly number[];
}

/** Thrown inside the run to end it. */
export class CertificateFailure extends Error {
  readonly failure: FailedCondition;
  constructor(
    condition: FailedCondition['condition'],
    why: string,
    memory?: MemoryFault,
    named?: NamedMeeting,
  ) {
    super(why);
    this.failure = {
      condition,
      why,
      ...(memory === undefined ? {} : { memory }),
      ...(named === undefined ? {} : { named }),
    };
  }
}
