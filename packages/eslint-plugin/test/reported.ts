// Converts the findings of ESLint and of the command line to a comparable form.
import assert from 'node:assert/strict';
import type { ESLint } from 'eslint';
import { lintProgram, type LintOptions } from '@poundlock/lint';
import { TypeScriptSeven } from '@poundlock/lint/typescript7';

export type ReportedRow = readonly [file: string, line: number, column: number, rule: string];

const byPlace = (a: ReportedRow, b: ReportedRow): number => (a.join(' ') < b.join(' ') ? -1 : 1);

export function reportedByEslint(results: readonly ESLint.LintResult[]): ReportedRow[] {
  return results
    .flatMap(({ filePath, messages }) =>
      messages.map(({ line, column, ruleId, message }): ReportedRow => {
        const [plugin, rule = ''] = ruleId?.split('/') ?? [];
        assert.equal(plugin, 'poundlock', message);
        return [filePath, line, column, rule];
      }),
    )
    .sort(byPlace);
}

/** As `poundlock lint` does: with TypeScript 7, all files at once. */
export function reportedByCommand(
  directory: string,
  files: readonly string[],
  options: LintOptions,
): ReportedRow[] {
  const compiler = new TypeScriptSeven(directory);
  try {
    return compiler
      .open(files)
      .flatMap((program) => lintProgram(program, options).findings)
      .map(({ primary, rule }): ReportedRow => [primary.file, primary.line, primary.column, rule])
      .sort(byPlace);
  } finally {
    compiler.close();
  }
}
