// Renders the page of a rule, and the list of rules, for the terminal.
import { severityOf, titleOf, type RuleId, type RulePage } from '@poundlock/core/internal/finding';
import type { Paint } from './paint.ts';
import { padded } from './width.ts';

const PAGE_COLUMNS = 88;

/** Breaks a paragraph into lines of at most `columns`. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function code(text: string): string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `   ${line}`));
}

function heading({ rule, title }: RulePage, paint: Paint): string {
  const severity = severityOf(rule);
  const color = severity === 'error' ? paint.error : paint.warning;
  return `${paint.strong(color(`${severity}[${rule}]`))}${paint.strong(`: ${title}`)}`;
}

/** The programs of a page with their headings. */
export function programsOf(page: RulePage): { heading: string; text: string; good: boolean }[] {
  const { rejected, fixed, lint } = page;
  const programs = [
    { heading: 'Rejected', text: rejected, good: false },
    { heading: 'Fixed', text: fixed, good: true },
  ];
  if (lint === undefined) return programs;
  return [
    ...programs,
    { heading: 'Rejected by lint', text: lint.rejected, good: false },
    { heading: 'Fixed for lint', text: lint.fixed, good: true },
  ];
}

function paragraphs(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => ['', ...wrapped(paragraph, PAGE_COLUMNS)]);
}

/** `poundlock explain RULE`. */
export function renderPage(page: RulePage, paint: Paint): string {
  const lines = [heading(page, paint), ...paragraphs(page.what)];
  for (const { heading, text, good } of programsOf(page)) {
    const color = good ? paint.good : paint.error;
    lines.push('', paint.strong(color(heading.toLowerCase())), '', ...code(text));
  }
  lines.push('', `see also: ${page.seeAlso.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

/** `poundlock explain`: rules with their titles. */
export function renderRuleList(rules: readonly RuleId[], paint: Paint): string {
  const width = Math.max(...rules.map((rule) => rule.length));
  const lines = rules.map((rule) => `${paint.strong(padded(rule, width))}  ${titleOf(rule)}`);
  const help = 'poundlock explain RULE explains a rule, with a rejected and a fixed program';
  return `${lines.join('\n')}\n\n${paint.faint(help)}\n`;
}
