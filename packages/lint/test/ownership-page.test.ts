// The programs of docs/reference/ownership.md: lint is silent on those that `check` certifies.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintFiles } from './programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'reference', 'ownership.md'), 'utf8');

test('certified programs have no findings, and a rule that source shows is reported', () => {
  // Inside the repository, so that the package is found.
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'ownership-'));
  try {
    const expected = new Map<string, string>();
    const blocks = PAGE.matchAll(/<!-- check: ([\w-]+)[^>]*-->\n```ts\n(.*?)```/gs);
    for (const [index, [, verdict = '', code = '']] of [...blocks].entries()) {
      const file = join(folder, `${index}.ts`);
      writeFileSync(file, code);
      expected.set(file, verdict);
    }
    assert.ok(expected.size > 30);
    const findings = lintFiles([...expected.keys()]);
    const found = new Map(findings.map(({ rule, primary }) => [primary.file, rule]));
    const certified = [...expected].filter(([, verdict]) => verdict === 'certified');
    assert.deepEqual(
      certified.flatMap(([file]) => found.get(file) ?? []),
      [],
    );
    const leaked = [...expected].filter(([, verdict]) => /leaked-stage|double-rel/.test(verdict));
    for (const [file, verdict] of leaked) assert.equal(found.get(file), verdict);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
