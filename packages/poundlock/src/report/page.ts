// The explanation of a rule as a page for the terminal.
import { severityOf, type RuleId } from '@poundlock/core/internal/finding';
import type { Page } from '@poundlock/core/internal/finding/pages';
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

function heading(rule: RuleId, title: string, paint: Paint): string {
  const severity = severityOf(rule);
  const color = severity === 'error' ? paint.error : paint.warning;
  return `${paint.strong(color(`${severity}[${rule}]`))}${paint.strong(`: ${title}`)}`;
}

/** Programs that break the rule and their fixes: one pair more where `lint` sees others. */
export function examplesOf(page: Page): { title: string; rejected: string; fix: string }[] {
  const { rejected, fix, ofSources } = page;
  const first = { title: '', rejected, fix };
  return ofSources === undefined ? [first] : [first, { title: ', in a source', ...ofSources }];
}

/** `poundlock explain RULE`. */
export function renderPage(page: Page, paint: Paint): string {
  const lines = [heading(page.rule, page.title, paint), '', ...wrapped(page.what, PAGE_COLUMNS)];
  for (const { title, rejected, fix } of examplesOf(page)) {
    lines.push('', paint.strong(paint.error(`rejected${title}`)), '', ...code(rejected));
    lines.push('', paint.strong(paint.good(`fix${title}`)), '', ...code(fix));
  }
  if (page.seeAlso.length > 0) lines.push('', `see also: ${page.seeAlso.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

/** `poundlock explain`: every rule with its title. */
export function renderPageList(pages: readonly Page[], paint: Paint): string {
  const width = Math.max(...pages.map((page) => page.rule.length));
  const lines = pages.map(({ rule, title }) => `${paint.strong(padded(rule, width))}  ${title}`);
  const help =
    'poundlock explain RULE shows one with a program that breaks it and one that does not';
  return `${lines.join('\n')}\n\n${paint.faint(help)}\n`;
}
