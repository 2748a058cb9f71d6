// What a space-time diagram is drawn from: the schedule of a finding, or one without a finding.
import type {
  Finding,
  RacingAccess,
  SourceLocation,
  Standing,
  TraceStep,
} from '@poundlock/core/internal/finding';

/** A schedule with what is known of it. */
export interface DiagramSource {
  /** The steps, in order. */
  readonly trace: readonly TraceStep[];
  /** What each role and unit does after the last step. */
  readonly standing: readonly Standing[];
  /** What the schedule shows, in one sentence. */
  readonly message: string;
  /** The kernel and its file, in words. */
  readonly subject?: string;
  /** The rule that it breaks and its severity; absent for a schedule without a finding. */
  readonly broken?: { readonly rule: string; readonly severity: Finding['severity'] };
  /** The roles that the finding names. */
  readonly cited: readonly string[];
  /** Both accesses of a race: their steps are marked, too. */
  readonly accesses?: readonly RacingAccess[];
}

/** The diagram of a finding; `null` where the finding has no schedule. */
export function sourceOf(finding: Finding, subject = ''): DiagramSource | null {
  const { trace, standing = [], message, rule, severity, primary, labels, accesses } = finding;
  if (trace === undefined) return null;
  const cited = rolesOf(primary, labels);
  const broken = { rule, severity };
  const source = { trace, standing, message, subject, broken, cited };
  return accesses === undefined ? source : { ...source, accesses };
}

function rolesOf(primary: SourceLocation, labels: readonly SourceLocation[]): string[] {
  const roles = [primary, ...labels].flatMap(({ role }) => (role === undefined ? [] : [role]));
  return [...new Set(roles)];
}
