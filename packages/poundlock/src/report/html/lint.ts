// Findings of `lint` as a page: each in its source.
import type { Report } from '@poundlock/core/internal/finding';
import { headlineOf } from '../headline.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { findingsHtml } from './finding.ts';
import { pageOf } from './page.ts';
import { element, tableHtml } from './text.ts';

/** The page of a lint run. */
export function lintPage(report: Report<'lint'>, { sourceLine }: ReporterEnvironment): string {
  const { findings } = report;
  const byRule = [...Map.groupBy(findings, ({ rule }) => rule)];
  const heading = [
    { title: 'rule', isNumber: false },
    { title: 'findings', isNumber: true },
  ];
  const rows = byRule.map(([rule, some]) => [rule, String(some.length)]);
  return pageOf(report, [
    element('p', headlineOf(report), findings.length === 0 ? 'badge good' : 'badge error'),
    ...tableHtml({ heading, rows }),
    ...findingsHtml(findings, () => '', sourceLine),
  ]);
}
