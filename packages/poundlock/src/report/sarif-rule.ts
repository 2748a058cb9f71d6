// A rule as a SARIF descriptor: its title, its explanation, and its page as help.
import type { ReportingDescriptor } from 'sarif';
import {
  evidenceOf,
  severityOf,
  titleOf,
  type Evidence,
  type RuleId,
  type RulePage,
} from '@poundlock/core/internal/finding';
import { PLAIN } from './paint.ts';
import { programsOf, renderPage } from './page.ts';

/** The page of a rule without its title. */
function helpOf(page: RulePage): string {
  const programs = programsOf(page).map(({ heading, text }) => {
    return `## ${heading}\n\n\`\`\`ts\n${text}\n\`\`\``;
  });
  return `${[page.what, ...programs, `See also: ${page.seeAlso.join(', ')}`].join('\n\n')}\n`;
}

/** Schedules and runs are exact; findings of `lint` depend on the contracts of resources. */
const TRUST = {
  schedule: { tags: ['concurrency'], precision: 'very-high' },
  either: { tags: ['concurrency'], precision: 'very-high' },
  run: { tags: ['correctness'], precision: 'very-high' },
  size: { tags: ['concurrency'], precision: 'very-high' },
  source: { tags: ['resource-management'], precision: 'high' },
} satisfies Readonly<Record<Evidence, { tags: string[]; precision: string }>>;

export function sarifRule(rule: RuleId, rulePage: (rule: RuleId) => RulePage): ReportingDescriptor {
  const page = rulePage(rule);
  const level = severityOf(rule);
  return {
    id: rule,
    shortDescription: { text: titleOf(rule) },
    // Services truncate this text after about 1,000 characters: the first paragraph is a summary.
    fullDescription: { text: page.what.split('\n\n', 1)[0]! },
    help: { text: renderPage(page, PLAIN), markdown: helpOf(page) },
    defaultConfiguration: { level },
    properties: { ...TRUST[evidenceOf(rule)], 'problem.severity': level },
  };
}
