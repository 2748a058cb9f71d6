// Where the Markdown page of a rule is in the installed package.
import type { RuleId } from './rule.ts';

/**
 * The URL of the Markdown page of a rule, inside the installed package.
 *
 * @example
 * import { readFileSync } from 'node:fs';
 * import { rulePageUrl } from 'poundlock/lint';
 *
 * const page = readFileSync(rulePageUrl('leak'), 'utf8');
 * console.log(page.startsWith('# leak')); // true
 */
export function rulePageUrl(rule: RuleId): URL {
  return new URL(`../../rules/${rule}.md`, import.meta.url);
}
