// Reads the Markdown pages of rules that are part of this package.
import { readFileSync } from 'node:fs';
import { parseRulePage, type RuleId, type RulePage } from '@poundlock/core/internal/finding';
import { rulePageUrl } from '@poundlock/core/internal/finding/rule-page-url';

/** The explanation of a rule, read from its page. */
export function readRulePage(rule: RuleId): RulePage {
  return parseRulePage(readFileSync(rulePageUrl(rule), 'utf8'));
}
