// Findings of `lint` for the terminal: code frames and a summary line.
import { completedResults, type Report } from '@poundlock/core/internal/finding';
import { findingLines, helpsOf } from '../finding.ts';
import { headlineOf } from '../headline.ts';
import type { ReporterEnvironment } from '../reporter.ts';

/** Findings as text for the terminal. */
export function lintText(report: Report<'lint'>, environment: ReporterEnvironment): string {
  const { paint } = environment;
  const results = completedResults(report);
  if (results.length === 0) return '';
  const blocks = report.findings.map((finding) =>
    findingLines({ ...finding, helps: helpsOf(finding) }, environment).join('\n'),
  );
  const unread = results.reduce((sum, one) => sum + one.unread, 0);
  const color = report.findings.length + unread === 0 ? paint.good : paint.error;
  blocks.push(color(paint.strong(headlineOf(report))));
  return `${blocks.join('\n\n')}\n`;
}
