// Findings of `lint` in code frames, and a line that sums them up.
import { findingLines } from '../finding.ts';
import { counted, duration } from '@poundlock/core/internal/base';
import type { LintReport } from '@poundlock/core/internal/finding';
import type { LintReporter } from './reporter.ts';

/** `3 findings in 120 files · 2 suppressed, 0.8 s`. */
export function summary(report: LintReport): string {
  const { findings, files, unread, suppressed, known, fixed, elapsedMs } = report;
  const what = findings.length === 0 ? 'no findings' : counted(findings.length, 'finding');
  const facts = [duration(elapsedMs)];
  if (fixed > 0) facts.unshift(`${counted(fixed, 'fix').replace('fixs', 'fixes')} applied`);
  if (known > 0) facts.unshift(`${known} in the baseline`);
  if (unread > 0) facts.unshift(`${counted(unread, 'file')} not linted`);
  if (suppressed > 0) facts.unshift(`${suppressed} suppressed`);
  return `${what} in ${counted(files, 'file')} · ${facts.join(', ')}`;
}

export const terminal: LintReporter = {
  name: 'terminal',
  render(report, surroundings) {
    const { paint } = surroundings;
    const blocks = report.findings.map((finding) => {
      const [best] = finding.fixes;
      const how = best?.isSafe ? `\`--fix\` can ${best.title}` : best && `fix: ${best.title}`;
      const helps = how === undefined ? finding.helps : [...finding.helps, how];
      return findingLines({ ...finding, helps }, surroundings).join('\n');
    });
    const color = report.findings.length + report.unread === 0 ? paint.good : paint.error;
    blocks.push(color(paint.strong(summary(report))));
    return `${blocks.join('\n\n')}\n`;
  },
};
