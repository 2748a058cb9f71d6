// A run on threads as a page: its result, and findings in their source.
import { completedResults, type Report } from '@poundlock/core/internal/finding';
import type { ReporterEnvironment } from '../reporter.ts';
import { outcomeOf, runFacts } from '../run.ts';
import { titleOf } from '../summary.ts';
import { findingsHtml } from './finding.ts';
import { pageOf } from './page.ts';
import { element, escaped } from './text.ts';

/** The page of a run. */
export function runPage(report: Report<'run'>, { sourceLine }: ReporterEnvironment): string {
  const lines = completedResults(report).flatMap((result) => {
    const outcome = outcomeOf(result);
    const { work, conformance } = runFacts(result);
    const word = element('span', outcome, `badge ${outcome}`);
    return [
      `<p>${word} ${escaped(`${titleOf(result)}: ${work}`)}</p>`,
      element('p', `${result.file} · ${conformance}`, 'facts'),
    ];
  });
  return pageOf(report, [...lines, ...findingsHtml(report.findings, () => '', sourceLine)]);
}
