// Findings of `lint` as annotations of a change on GitHub.
import { findingCommand } from '../github.ts';
import type { LintReporter } from './reporter.ts';
import { summary } from './terminal.ts';

export const github: LintReporter = {
  name: 'github',
  render(report) {
    const commands = report.findings.map((finding) => findingCommand(finding, finding.rule));
    return `${[...commands, summary(report)].join('\n')}\n`;
  },
};
