import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintFiles } from './programs.ts';
import { caseFiles, kindOf, score } from './score.ts';

const REAL = join(import.meta.dirname, 'real');

test('shapes of real code without installed packages: every bug is reported, and nothing else', () => {
  const reported = lintFiles(caseFiles(REAL)).map(({ rule, primary }) => {
    return { file: primary.file, line: primary.line, kind: kindOf(rule) };
  });
  const { misses, extras } = score(REAL, reported);
  assert.deepEqual(misses, []);
  assert.deepEqual(extras, []);
});
