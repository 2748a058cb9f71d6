// Suppression comments: `// poundlock-ignore-next-line leak -- the process ends here`. A comment
// without a reason suppresses nothing and adds a note to the finding.
import type { Finding, RuleId } from '@poundlock/core/internal/finding';

interface Suppression {
  readonly rules: readonly string[];
  readonly reason: string;
}

const COMMENT = /poundlock-ignore-(next-line|line)\s+([\w\s,-]*?)(?:\s--\s*(.*?))?\s*(?:\*\/.*)?$/;

/** The suppressions of a file by the line, from 1, that they are about. */
export function suppressionsIn(text: string): ReadonlyMap<number, Suppression> {
  const suppressions = new Map<number, Suppression>();
  if (!text.includes('poundlock-ignore')) return suppressions;
  for (const [index, line] of text.split('\n').entries()) {
    const match = COMMENT.exec(line);
    if (match === null) continue;
    const [, where, rules = '', reason = ''] = match;
    const names = rules.split(/[\s,]+/).filter(Boolean);
    suppressions.set(index + (where === 'line' ? 1 : 2), { rules: names, reason });
  }
  return suppressions;
}

export type SuppressionState = 'reported' | 'suppressed' | 'no-reason';

export function verdictOn(
  { rule, primary }: Pick<Finding, 'primary'> & { readonly rule: RuleId },
  suppressions: ReadonlyMap<number, Suppression>,
): SuppressionState {
  const suppression = suppressions.get(primary.line);
  if (suppression === undefined) return 'reported';
  const { rules, reason } = suppression;
  if (rules.length > 0 && !rules.includes(rule)) return 'reported';
  return reason === '' ? 'no-reason' : 'suppressed';
}
