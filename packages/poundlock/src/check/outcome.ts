// What one engine came to, and how what it saw becomes findings.
import { causeFirst, type Example, type Finding } from '../finding/index.ts';
import {
  explain,
  formatNumber,
  Schedule,
  standingOf,
  stepsWithoutSignal,
  traceOf,
  type Move,
  type Names,
  type System,
} from '../system/index.ts';
import type { Undecided } from './certify/index.ts';
import { MAX_FINDINGS, type CheckOptions } from './options.ts';
import type { Sighting } from './sightings.ts';

export interface Outcome {
  readonly engine: string;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said, or `null` when every state was seen. */
  readonly reason: string | null;
  readonly states: number;
  readonly transitions: number;
  readonly example?: Example;
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence?: readonly Finding[];
  /** The condition of the certificate that failed, if it was one. */
  readonly failed?: Undecided['condition'];
  readonly notes?: readonly string[];
}

/** Why a check must end now, or `null`. */
export function stopReason(options: CheckOptions, started: number): string | null {
  const { timeoutMs, now = () => 0, shouldStop } = options;
  if (shouldStop?.() === true) return 'it was interrupted';
  if (timeoutMs === undefined || now() - started <= timeoutMs) return null;
  return `the bound timeout of ${formatNumber(timeoutMs)} ms was reached`;
}

/** The cause before the symptom; errors before warnings; each place once. */
export function explainAll(
  system: System,
  names: Names,
  errors: readonly Sighting[],
  warnings: readonly Sighting[],
): Finding[] {
  const byCause = (a: Sighting, b: Sighting): number => causeFirst(a.symptom.rule, b.symptom.rule);
  const causes = errors.flatMap((sighting) => causesOf(system, names, sighting));
  const sorted = [...[...causes, ...errors].toSorted(byCause), ...warnings.toSorted(byCause)];
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

/** A deadlock may have a cause that no state shows, but its schedule does. */
function causesOf(system: System, names: Names, { symptom, path }: Sighting): Sighting[] {
  if (symptom.rule !== 'deadlock') return [];
  const causes = stepsWithoutSignal(new Schedule(system, names, path));
  return causes.map((cause) => ({ symptom: cause, path }));
}

export function exampleOf(system: System, names: Names, path: readonly Move[]): Example {
  const schedule = new Schedule(system, names, path);
  return {
    trace: traceOf(schedule),
    standing: standingOf(schedule),
    replay: schedule.token(),
  };
}
