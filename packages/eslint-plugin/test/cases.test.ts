// tier: deep
// The labeled cases: ESLint reports the same findings as the command line, at the same positions.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ESLint as Ten } from 'eslint';
import { readConfig, type LintOptions } from '@poundlock/lint';
import { caseFiles } from '../../lint/test/score.ts';
import { eslintIn, Project, VERSIONS } from './project.ts';
import { reportedByCommand, reportedByEslint, type ReportedRow } from './reported.ts';

const LINT = join(import.meta.dirname, '..', '..', 'lint', 'test');

function optionsOf(group: string, strict: boolean): LintOptions {
  if (group !== 'cases') return { strict };
  return { ...readConfig(join(LINT, 'cases', 'poundlock.config.ts')), strict };
}

// Versions of ESLint are held against the same report of the command line.
for (const strict of [false, true]) {
  for (const group of ['cases', 'idioms', 'checker-framework']) {
    const directory = join(LINT, group);
    const files = caseFiles(directory);
    let expected: readonly ReportedRow[] | undefined;
    for (const [name, ESLint] of Object.entries(VERSIONS)) {
      test(`${name}, ${strict ? 'strict' : 'recommended'}: ${group}`, async (t) => {
        const results = await eslintIn(directory, ESLint, { strict }).lintFiles(files);
        const reported = reportedByEslint(results);
        t.diagnostic(`${reported.length} findings in ${results.length} files`);
        assert.ok(reported.length > 0);
        expected ??= reportedByCommand(directory, files, optionsOf(group, strict));
        assert.deepEqual(reported, expected);
      });
    }
  }
}

// One analysis serves the whole run and follows the changes of fixes.
for (const group of ['cases', 'idioms']) {
  test(`after --fix, the command line reports the same in the fixed files: ${group}`, async (t) => {
    using project = new Project();
    const directory = join(project.root, group);
    cpSync(join(LINT, 'cases', 'prelude.d.ts'), join(project.root, 'cases', 'prelude.d.ts'));
    cpSync(join(LINT, group), directory, { recursive: true });
    const files = caseFiles(directory);
    const results = await eslintIn(directory, Ten, { fix: true }).lintFiles(files);
    const fixed = results.filter(({ output }) => output !== undefined).length;
    t.diagnostic(`${fixed} of ${files.length} files were fixed`);
    assert.ok(fixed > 0);
    await Ten.outputFixes(results);
    assert.deepEqual(
      reportedByEslint(results),
      reportedByCommand(directory, files, optionsOf(group, false)),
    );
  });
}
