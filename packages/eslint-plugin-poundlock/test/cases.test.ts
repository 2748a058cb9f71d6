// The labelled cases: ESLint tells what the command line tells, in the same places.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintProgram, readConfig, TypeScriptSeven } from 'poundlock/lint';
import { caseFiles } from '../../poundlock/test/lint/score.ts';
import { eslintIn, VERSIONS } from './project.ts';

const LINT = join(import.meta.dirname, '..', '..', 'poundlock', 'test', 'lint');

type Told = readonly [file: string, line: number, column: number, rule: string];

const byPlace = (a: Told, b: Told): number => (a.join(' ') < b.join(' ') ? -1 : 1);

/** As `poundlock lint` does it: by TypeScript 7, all files at once. */
function toldByCommand(directory: string, strict: boolean): Told[] {
  const compiler = new TypeScriptSeven(directory);
  try {
    const config = readConfig(join(LINT, 'cases', 'poundlock.config.ts'));
    const options = directory.endsWith('cases') ? { ...config, strict } : { strict };
    return compiler
      .open(caseFiles(directory))
      .flatMap((program) => lintProgram(program, options).findings)
      .map(({ primary, rule }): Told => [primary.file, primary.line, primary.column, rule])
      .sort(byPlace);
  } finally {
    compiler.close();
  }
}

for (const [name, ESLint] of Object.entries(VERSIONS)) {
  for (const strict of [false, true]) {
    for (const group of ['cases', 'idioms', 'checker-framework']) {
      const directory = join(LINT, group);
      test(`${name}, ${strict ? 'strict' : 'recommended'}: ${group}`, async (t) => {
        const eslint = eslintIn(directory, ESLint, { strict });
        const results = await eslint.lintFiles(caseFiles(directory));
        const told = results
          .flatMap(({ filePath, messages }) =>
            messages.map(({ line, column, ruleId, message }): Told => {
              const [plugin, rule = ''] = ruleId?.split('/') ?? [];
              assert.equal(plugin, 'poundlock', message);
              return [filePath, line, column, rule];
            }),
          )
          .sort(byPlace);
        t.diagnostic(`${told.length} findings in ${results.length} files`);
        assert.ok(told.length > 0);
        assert.deepEqual(told, toldByCommand(directory, strict));
      });
    }
  }
}
