import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import config from './cases/poundlock.config.ts';
import { lintFiles, type Backend } from './programs.ts';
import { caseFiles, kindOf, score } from './score.ts';

const CASES = join(import.meta.dirname, 'cases');

const isHard = (tags: readonly string[]): boolean =>
  tags.some((tag) => tag === 'hard' || tag.startsWith('policy'));

for (const backend of ['seven', 'six'] satisfies Backend[]) {
  test(`the labeled cases, by TypeScript ${backend}`, (t) => {
    const prelude = join(CASES, 'prelude.d.ts');
    const files = backend === 'six' ? [...caseFiles(CASES), prelude] : caseFiles(CASES);
    const findings = lintFiles(files, { ...config.lint, strict: true }, backend);
    const reported = findings.map(({ rule, primary }) => {
      return { file: primary.file, line: primary.line, kind: kindOf(rule) };
    });
    const plain = score(CASES, reported, (tags) => !isHard(tags));
    const hard = score(CASES, reported, isHard);
    t.diagnostic(`plain: precision ${plain.precision}, recall ${plain.recall}`);
    t.diagnostic(`hard: recall ${hard.recall}`);
    assert.deepEqual(plain.misses, []);
    assert.deepEqual(plain.extras, []);
    assert.deepEqual(hard.misses, []);
  });
}
