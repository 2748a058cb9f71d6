// What a system detects in a state or a move, in numbers: explanations turn it into findings.
import type { ScheduleRule } from '../finding/index.ts';
import { Fault } from '../machine/index.ts';
import type { DivergenceRule } from '../program/index.ts';

/** The rules that a state or a move can violate: all but those that take two runs of a role. */
export type SymptomRule = Exclude<ScheduleRule, DivergenceRule>;

/** Something wrong. Ids are physical; −1 where they do not apply. */
export interface Symptom {
  readonly rule: SymptomRule;
  /** The agent whose move or place shows it: a role, or the number of roles plus a unit. */
  readonly agent: number;
  /** The other agent of a race, or −1. */
  readonly other: number;
  /** The barrier, buffer, pool or named barrier. */
  readonly at: number;
  /** The step that shows it, where it is a role's. */
  readonly step: number;
  /** Whether `at` is a buffer where a rule is about buffers and barriers. */
  readonly onBuffer?: boolean;
  /** Whether `at` is a named barrier where a rule is about those and mbarriers. */
  readonly onNamed?: boolean;
  /** Whether it is a warning although others of its rule are errors. */
  readonly isMild?: boolean;
  /** Of a rule about memory: the moves of its places, −1 where there is none. */
  readonly memory?: { readonly first: number; readonly second: number; readonly other: number };
  /** Whether making the last move showed it, and not the state that it led to. */
  readonly inMove: boolean;
}

/** What can go wrong in a transition: a fault that there is. */
type RealFault = Exclude<Fault, typeof Fault.none>;

/** The rule that a fault of the machine breaks. */
export const FAULT_RULES = {
  [Fault.overArrival]: 'over-arrival',
  [Fault.txMismatch]: 'tx-mismatch',
  [Fault.missingDrain]: 'missing-drain',
  [Fault.uninitialisedBarrier]: 'uninitialised-barrier',
  [Fault.useAfterFree]: 'tmem-use-after-free',
  [Fault.doubleFree]: 'tmem-double-free',
  [Fault.capacity]: 'capacity',
  [Fault.namedBarrierMismatch]: 'named-barrier-mismatch',
  [Fault.divergentExit]: 'divergent-exit',
  [Fault.missingDrainOfBuffer]: 'missing-drain',
  [Fault.txOutOfRange]: 'count-out-of-range',
  [Fault.exitWithOpenFlight]: 'exit-with-open-flight',
  [Fault.registerMisuse]: 'register-misuse',
  [Fault.clusterMisuse]: 'cluster-barrier-misuse',
  [Fault.misalignedCount]: 'misaligned-barrier-count',
  [Fault.divergentBarrier]: 'divergent-barrier',
} as const satisfies Readonly<Record<RealFault, SymptomRule>>;
