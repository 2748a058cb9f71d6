// A rule as SARIF describes it: title, reason, and the page that `poundlock explain` shows.
import type { ReportingDescriptor } from 'sarif';
import { severityOf, SOURCE_RULES, type RuleId } from '@poundlock/core/internal/finding';
import { pageOf, type Page } from '@poundlock/core/internal/finding/pages';
import { PLAIN } from './paint.ts';
import { examplesOf, renderPage } from './page.ts';

function program(title: string, text: string): string {
  return `## ${title}\n\n\`\`\`ts\n${text}\n\`\`\``;
}

/** The page of a rule without its title. */
export function pageAsMarkdown(page: Page): string {
  const { what, seeAlso } = page;
  const blocks = [what];
  for (const { title, rejected, fix } of examplesOf(page)) {
    blocks.push(program(`Rejected${title}`, rejected), program(`Fix${title}`, fix));
  }
  if (seeAlso.length > 0) blocks.push(`See also: ${seeAlso.join(', ')}`);
  return `${blocks.join('\n\n')}\n`;
}

/** A schedule that was replayed is never a guess; what a source shows depends on contracts. */
function trustIn(rule: RuleId): { tags: string[]; precision: string } {
  const isOfSources = (SOURCE_RULES as readonly RuleId[]).includes(rule);
  if (isOfSources) return { tags: ['resource-management'], precision: 'high' };
  return { tags: ['concurrency'], precision: 'very-high' };
}

export function sarifRule(rule: RuleId): ReportingDescriptor {
  const page = pageOf(rule);
  const level = severityOf(rule);
  return {
    id: rule,
    shortDescription: { text: page.title },
    fullDescription: { text: page.what },
    help: { text: renderPage(page, PLAIN), markdown: pageAsMarkdown(page) },
    defaultConfiguration: { level },
    properties: { ...trustIn(rule), 'problem.severity': level },
  };
}
