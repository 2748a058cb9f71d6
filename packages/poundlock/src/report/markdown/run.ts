// A run on threads for pull requests and job summaries: a sentence, then a section per finding.
import { completedResults, type Report } from '@poundlock/core/internal/finding';
import { headlineOf } from '../headline.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { titleOf } from '../summary.ts';
import { documentOf, findingSection } from './finding.ts';
import { codeSpan, escaped, failureLines } from './text.ts';

/** A run as a Markdown document. */
export function runMarkdown(report: Report<'run'>, { sourceLine }: ReporterEnvironment): string {
  const results = completedResults(report);
  const lines = results.length === 0 ? [] : [escaped(headlineOf(report))];
  const head = ['## poundlock run', '', ...lines, ...failureLines(report)];
  const sections = results.flatMap((result) => {
    const about = `${codeSpan(result.file)}: ${escaped(titleOf(result))}`;
    return result.findings.map((finding) => findingSection(finding, about, sourceLine));
  });
  return documentOf(head, sections);
}
