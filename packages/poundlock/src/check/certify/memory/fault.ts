// What is wrong about memory in a run, in numbers: explanations turn it into a finding.
import { severityOf } from '@poundlock/core/internal/finding';
import type { MemoryRule, PracticeName } from '@poundlock/core/internal/finding';

/** An access or a use: whose it is, and which operation of the run, counted from 0. */
export interface MemoryPlace {
  readonly role: number;
  readonly at: number;
}

/** Two places of a run, where the second knows too little of the first. */
export interface MemoryFault {
  readonly rule: MemoryRule;
  readonly first: MemoryPlace | null;
  readonly second: MemoryPlace;
  /** The physical buffer, barrier or unit. */
  readonly target: number;
  /** Of `unfenced-reuse`: a place where the same is fenced. */
  readonly other?: MemoryPlace;
  /** Whether it is a warning although others of its rule are errors. */
  readonly isMild?: boolean;
}

/** Practices that the ISA does not promise, and that working kernels rely on. */
export type Practice = Extract<
  PracticeName,
  'H1' | 'H2' | 'H3' | 'H4' | 'H6' | 'H7' | 'H14' | 'H15' | 'H18' | 'H22'
>;

/** Warnings with one key are one: a rule, the role that shows it, and what it is about. */
export function keyOfWarning({ rule, second, target }: MemoryFault): string {
  return `${rule} ${second.role} ${target}`;
}

/** Whether a fault is one that `warn` notes, so that a proof goes on. */
export function isWarning({ rule, isMild }: MemoryFault): boolean {
  return isMild === true || severityOf(rule) === 'warning';
}
