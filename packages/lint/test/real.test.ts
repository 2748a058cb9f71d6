// Shapes of real code: every bug is reported, and nothing else, with types of packages and without.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintFiles } from './programs.ts';
import { caseFiles, kindOf, score } from './score.ts';

for (const [folder, what] of [
  ['real', 'shapes of real code without installed packages'],
  ['typed', 'shapes of real code with the types of packages'],
] as const) {
  test(`${what}: every bug is reported, and nothing else`, () => {
    const path = join(import.meta.dirname, folder);
    const files = caseFiles(path);
    assert.notEqual(files.length, 0);
    const reported = lintFiles(files).map(({ rule, severity, primary }) => {
      const kind = severity === 'note' ? severity : kindOf(rule);
      return { file: primary.file, line: primary.line, kind };
    });
    const { misses, extras } = score(path, reported);
    assert.deepEqual(misses, []);
    assert.deepEqual(extras, []);
  });
}
