// Findings of `lint` for programs: one document with a schema name in it.
import type { LintReporter } from './reporter.ts';

export const LINT_SCHEMA = 'poundlock/lint@1';

export const json: LintReporter = {
  name: 'json',
  render({ findings, files, unread, suppressed, known, fixed, elapsedMs }) {
    const counts = { files, unread, suppressed, known, fixed, elapsedMs: Math.round(elapsedMs) };
    return `${JSON.stringify({ schema: LINT_SCHEMA, findings, ...counts }, null, 2)}\n`;
  },
};
