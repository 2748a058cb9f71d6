// Findings of `lint` for pull requests and job summaries: a table.
import { codeSpan, escaped, markdownTable } from '../markdown-text.ts';
import type { LintReporter } from './reporter.ts';
import { summary } from './terminal.ts';

const MAX_ROWS = 200;

export const markdown: LintReporter = {
  name: 'markdown',
  render(report) {
    const heading = ['rule', 'place', 'finding'].map((title) => ({ title, isNumber: false }));
    const rows = report.findings.slice(0, MAX_ROWS).map(({ rule, primary, message }) => {
      const { file, line } = primary;
      return [codeSpan(rule), codeSpan(`${file}:${line}`), escaped(message)];
    });
    const more = report.findings.length - rows.length;
    const rest = more > 0 ? ['', `${more} more not shown here.`] : [];
    const table = rows.length === 0 ? [] : ['', ...markdownTable(heading, rows), ...rest];
    return `${[`**${summary(report)}**`, ...table].join('\n')}\n`;
  },
};
