// What checks say of a kernel with a change, and whether that is worse than without the change.
import { assumptionText, uniqueAssumptions } from '@poundlock/core/internal/finding';
import type { Assumption, CheckResult, Finding } from '@poundlock/core/internal/finding';

/** What breaks with a change, or why it is not known to be right. */
export interface Obstacle {
  /**
   * `wrong`: a schedule, a register or the text shows an error. `practice`: it works on what the
   * text of the PTX ISA does not promise, and the kernel itself does not rely on. `unknown`: else.
   */
  readonly kind: 'wrong' | 'practice' | 'unknown';
  readonly rule: string | null;
  readonly why: string;
}

/** What a certified kernel has, in one memory profile. */
export interface Judgement {
  /** Its warnings, by rule and place. */
  readonly warnings: ReadonlyMap<string, string>;
  /** Practices that it relies on, and at how many places. */
  readonly practices: ReadonlyMap<string, number>;
  readonly assumptions: readonly Assumption[];
}

/** All that several certified results have. */
export function judgedFrom(
  results: readonly CheckResult[],
  more: readonly Assumption[],
): Judgement {
  const practices = new Map<string, number>();
  for (const { scope } of results)
    for (const { id, places } of scope.memory?.practices ?? [])
      practices.set(id, (practices.get(id) ?? 0) + places);
  const findings = results.flatMap((result) => result.findings);
  return {
    warnings: new Map(findings.map((finding) => [placeKey(finding), finding.message])),
    practices,
    assumptions: uniqueAssumptions([...results.flatMap(({ scope }) => scope.assumptions), ...more]),
  };
}

function placeKey({ rule, primary: { file, line, column } }: Finding): string {
  return `${rule} ${file}:${line}:${column}`;
}

/** What a changed kernel has that the kernel did not have; `null` if there is nothing. */
export function weaknessOf(before: Judgement, after: Judgement): Obstacle | null {
  for (const [key, message] of after.warnings)
    if (!before.warnings.has(key)) return unknown(`without it there is a warning: ${message}`);
  for (const [id, places] of after.practices)
    if (places > (before.practices.get(id) ?? 0))
      return practice(`the kernel would rely on practice ${id} at ${places} places`);
  const known = new Set(before.assumptions.map(assumptionText));
  const more = after.assumptions.map(assumptionText).find((text) => !known.has(text));
  if (more !== undefined) return practice(`the kernel would take for granted: ${more}`);
  return null;
}

/** Why a result is not certified. */
export function obstacleOf({ verdict, findings, reason }: CheckResult): Obstacle {
  const error = findings.find(({ severity }) => severity === 'error');
  if (verdict === 'counterexample' && error !== undefined) return wrong(error);
  return unknown(reason ?? error?.message ?? 'it is not certified');
}

/** A finding that breaks a kernel. */
export function wrong({ rule, message, primary }: Finding): Obstacle {
  return { kind: 'wrong', rule, why: `${message} (${primary.file}:${primary.line})` };
}

/** What the text of the PTX ISA does not promise. */
export function practice(why: string): Obstacle {
  return { kind: 'practice', rule: null, why };
}

/** Why nothing is known. */
export function unknown(why: string): Obstacle {
  return { kind: 'unknown', rule: null, why };
}
