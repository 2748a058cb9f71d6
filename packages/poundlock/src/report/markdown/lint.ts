// Findings of `lint` for pull requests and job summaries: a table.
import type { Report } from '@poundlock/core/internal/finding';
import { headlineOf } from '../headline.ts';
import { joined } from './finding.ts';
import { codeSpan, escaped, failureLines, markdownTable } from './text.ts';

const MAX_ROWS = 200;

/** Findings as a Markdown table. */
export function lintMarkdown(report: Report<'lint'>): string {
  const heading = ['rule', 'place', 'finding'].map((title) => ({ title, isNumber: false }));
  const rows = report.findings.slice(0, MAX_ROWS).map(({ rule, primary, message }) => {
    const { file, line } = primary;
    return [codeSpan(rule), codeSpan(`${file}:${line}`), escaped(message)];
  });
  const more = report.findings.length - rows.length;
  const rest = more > 0 ? ['', `${more} more not shown here.`] : [];
  const table = rows.length === 0 ? [] : ['', ...markdownTable({ heading, rows }), ...rest];
  return joined([`**${headlineOf(report)}**`, ...failureLines(report), ...table]);
}
