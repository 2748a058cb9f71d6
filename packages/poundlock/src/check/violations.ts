// Violations with their schedules: a search collects errors of the least depth, and warnings.
import { severityOf } from '@poundlock/core/internal/finding';
import type { Move, Symptom, System } from '@poundlock/core/internal/system';

/** A symptom with the schedule that shows it. */
export interface Violation {
  readonly symptom: Symptom;
  /** The moves from the initial state on. */
  readonly path: readonly Move[];
}

/** The most different violations that are stored of one depth, and of warnings. */
const MAX_VIOLATIONS = 16;

/** Errors of the shortest depth, and warnings of any depth. */
export class ViolationSet {
  errors: Violation[] = [];
  warnings: Violation[] = [];
  /** The depth of the errors, −1 while there are none. */
  errorDepth = -1;

  /** Whether a symptom at such a depth would be stored. */
  accepts({ rule }: Symptom, depth: number): boolean {
    if (severityOf(rule) !== 'error') return this.warnings.length < MAX_VIOLATIONS;
    return this.errorDepth < 0 || depth <= this.errorDepth;
  }

  note(violation: Violation, depth: number): void {
    const { rule, step, at, onNamed } = violation.symptom;
    const isError = severityOf(rule) === 'error';
    const list = isError ? this.errors : this.warnings;
    if (isError) {
      if (this.errorDepth >= 0 && depth > this.errorDepth) return;
      if (depth < this.errorDepth) list.length = 0;
      this.errorDepth = depth;
    }
    const isKnown = list.some(({ symptom }) => {
      if (symptom.rule !== rule || symptom.step !== step) return false;
      return isError || (symptom.at === at && symptom.onNamed === onNamed);
    });
    if (!isKnown && list.length < MAX_VIOLATIONS) list.push(violation);
  }
}

/** The symptom of a state that no move, or no end, leads on from (P11). */
export function stuckSymptom(system: System, words: Int32Array): Symptom {
  let role = 0;
  while (role < system.roles && system.hasEnded(words, role)) role++;
  if (role === system.roles) role = -1;
  const step = words[role] ?? -1;
  return { rule: 'deadlock', agent: role, other: -1, at: -1, step, inMove: false };
}

/** Whether a path ends with these symptoms. */
export function isFatal(symptoms: readonly Symptom[]): boolean {
  return symptoms.some(({ rule }) => severityOf(rule) === 'error');
}
