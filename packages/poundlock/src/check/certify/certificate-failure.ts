// Why a run certifies nothing, and how a run is ended there.
import type { Condition } from './barrier-history.ts';
import type { MemoryFault } from './memory/fault.ts';
import type { Lack, RunPlace } from './run-place.ts';

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
  /** The barrier, the memory or the CTA that it is about. */
  readonly place?: string;
  /** What has to come before `y`, or before the end, and does not; known of a repeated run. */
  readonly x?: RunPlace;
  /** Where the run ended; missing where that is its end. */
  readonly y?: RunPlace;
  /** The changes of registers after which none can follow, as roles in their order. */
  readonly changes?: readonly number[];
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

/** What is known of a failure beside its condition and the sentence. */
interface Details extends Omit<FailedCondition, 'condition' | 'why' | 'x' | 'y'> {
  readonly lack?: Lack;
}

/** Thrown inside the run to end it. */
export class CertificateFailure extends Error {
  readonly failure: FailedCondition;
  /** The event that is not known where it has to be. */
  readonly lack: Lack | null;

  constructor(
    condition: FailedCondition['condition'],
    why: string,
    { lack, ...details }: Details = {},
  ) {
    super(why);
    this.lack = lack ?? null;
    this.failure = { condition, why, ...details };
  }
}
