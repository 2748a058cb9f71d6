// Schedules as findings: the cause before the symptom, each place once.
import { causeFirst, type ExampleSchedule, type Finding } from '@poundlock/core/internal/finding';
import {
  explain,
  Schedule,
  standingOf,
  stepsWithoutSignal,
  traceOf,
} from '@poundlock/core/internal/system';
import type { Move, Names, System } from '@poundlock/core/internal/system';
import { MAX_FINDINGS } from './options.ts';
import type { Violation } from './violations.ts';

/** Errors and warnings as findings, causes before symptoms and errors before warnings. */
export function explainAll(
  system: System,
  names: Names,
  errors: readonly Violation[],
  warnings: readonly Violation[],
): Finding[] {
  const byCause = (a: Violation, b: Violation): number =>
    causeFirst(a.symptom.rule, b.symptom.rule);
  const roots = errors.flatMap((violation) => causesOf(system, names, violation));
  const sorted = [...roots.toSorted(byCause), ...warnings.toSorted(byCause)];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { symptom, path } of sorted) {
    if (findings.length >= MAX_FINDINGS) break;
    const finding = explain(system, names, symptom, path);
    const { file, line, column } = finding.primary;
    const key = `${finding.rule} ${file} ${line} ${column}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(finding);
  }
  return findings;
}

/** A deadlock may have causes that no state shows, but its schedule does: it follows from them. */
function causesOf(system: System, names: Names, violation: Violation): Violation[] {
  const { symptom, path } = violation;
  if (symptom.rule !== 'deadlock') return [violation];
  const causes = stepsWithoutSignal(new Schedule(system, names, path));
  return causes.length === 0 ? [violation] : causes.map((cause) => ({ symptom: cause, path }));
}

export function exampleOf(system: System, names: Names, path: readonly Move[]): ExampleSchedule {
  const schedule = new Schedule(system, names, path);
  return {
    trace: traceOf(schedule),
    standing: standingOf(schedule),
    replayToken: schedule.token(),
  };
}

/** Says of schedules that were not found breadth first that they need not be shortest. */
export function maybeLong(findings: readonly Finding[]): Finding[] {
  const note = 'the schedule was not searched breadth first: there may be a shorter one';
  return findings.map((finding) => {
    return finding.severity === 'error' ? { ...finding, notes: [...finding.notes, note] } : finding;
  });
}
