import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import config from './cases/poundlock.config.ts';
import { lintFiles } from './programs.ts';
import { caseFiles, kindOf, score } from './score.ts';

const IDIOMS = join(import.meta.dirname, 'idioms');

test('idioms of real code: every leaking one is reported, and no other', () => {
  const findings = lintFiles(caseFiles(IDIOMS), { ...config.lint, strict: true });
  const reported = findings.map(({ rule, primary }) => {
    return { file: primary.file, line: primary.line, kind: kindOf(rule) };
  });
  const { misses, extras } = score(IDIOMS, reported);
  assert.deepEqual(misses, []);
  assert.deepEqual(extras, []);
});
