// Where the Markdown page of a rule is in the installed package.
import type { RuleId } from './rule.ts';

/** The URL of the page. Only `cli` reads it: nothing else needs a file system. */
export function rulePageUrl(rule: RuleId): URL {
  return new URL(`../../rules/${rule}.md`, import.meta.url);
}
