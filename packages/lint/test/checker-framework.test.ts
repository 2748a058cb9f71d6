import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import config from './cases/poundlock.config.ts';
import { lintFiles } from './programs.ts';
import { caseFiles, kindOf, score } from './score.ts';

const DIRECTORY = join(import.meta.dirname, 'checker-framework');

test('the behaviors of the Resource Leak Checker', () => {
  const findings = lintFiles(caseFiles(DIRECTORY), { ...config.lint, strict: true });
  const reported = findings.map(({ rule, primary }) => {
    return { file: primary.file, line: primary.line, kind: kindOf(rule) };
  });
  const { misses, extras } = score(DIRECTORY, reported);
  assert.deepEqual(misses, []);
  assert.deepEqual(extras, []);
});
