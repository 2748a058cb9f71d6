// Renders the page of a rule or an assumption, and the list of them, for the terminal.
import {
  ASSUMPTION_NAMES,
  assumptionRow,
  needsAccept,
  severityOf,
  titleOf,
} from '@poundlock/core/internal/finding';
import type {
  AssumptionClass,
  AssumptionName,
  RuleId,
  RulePage,
} from '@poundlock/core/internal/finding';
import { TERM_NAMES, termOf } from './glossary/index.ts';
import { LINEAR_PAGE } from './linear-page.ts';
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

/** What a verdict does with an assumption of each class. */
const CLASSES: Readonly<Record<AssumptionClass, string>> = {
  practice: 'a practice of the hardware: a verdict that relies on it names it',
  about: 'part of what was asked: a verdict names it',
  discharge: 'the text of a program can prove it; else a verdict needs it to be accepted',
  unproved: 'nothing proves it: a verdict needs it to be accepted',
};

/** `poundlock explain NAME`, of an assumption. */
export function renderAssumption(name: AssumptionName, paint: Paint): string {
  const { class: kind, title, page } = assumptionRow(name);
  const accept = needsAccept(name) ? [`\`--accept ${name}\` takes it for granted.`] : [];
  const heading = `${paint.strong(`assumption[${name}]`)}${paint.strong(`: ${title}`)}`;
  const text = [page, `It is ${CLASSES[kind]}.`, ...accept].join('\n\n');
  return `${[heading, ...paragraphs(text)].join('\n')}\n`;
}

/** `poundlock explain linear`. */
export function renderLinear(paint: Paint): string {
  const lines = LINEAR_PAGE.flatMap((text) => ['', ...wrapped(text, PAGE_COLUMNS)]);
  return `${[paint.strong('linear: every handle is released once'), ...lines].join('\n')}\n`;
}

/** `poundlock explain TERM`, of a word of the glossary. */
export function renderTerm(name: string, paint: Paint): string {
  const { title, page } = termOf(name);
  return `${[paint.strong(`${name}: ${title}`), ...paragraphs(page)].join('\n')}\n`;
}

/** `poundlock explain`: rules and assumptions with their titles, and the words of the glossary. */
export function renderRuleList(rules: readonly RuleId[], paint: Paint): string {
  const groups = [
    rules.map((rule) => [rule, titleOf(rule)] as const),
    ASSUMPTION_NAMES.map((name) => [name, assumptionRow(name).title] as const),
  ];
  const width = Math.max(...groups.flat().map(([name]) => name.length));
  const parts = groups.map((rows) =>
    rows.map(([name, title]) => `${paint.strong(padded(name, width))}  ${title}\n`).join(''),
  );
  const terms = wrapped(`words of verdicts: ${TERM_NAMES.join(', ')}`, PAGE_COLUMNS).join('\n');
  const help = 'poundlock explain WORDS explains one, such as race, H1 or choice point';
  return `${parts.join('\n')}\n${terms}\n\n${paint.faint(help)}\n`;
}
