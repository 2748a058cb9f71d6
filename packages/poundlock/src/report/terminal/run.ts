// Results of `run` for the terminal: findings in code frames, and a summary line.
import { completedResults, type Report } from '@poundlock/core/internal/finding';
import { findingLines } from '../finding.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { runLine } from '../run.ts';

/** A run as text for the terminal. */
export function runText(report: Report<'run'>, environment: ReporterEnvironment): string {
  const blocks = completedResults(report).flatMap((result) => [
    ...result.findings.map((finding) => findingLines(finding, environment).join('\n')),
    runLine(result, environment.paint, environment.columns),
  ]);
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}
