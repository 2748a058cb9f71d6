// The Python package's reports have every field of a verdict, and show every part of it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPORTERS } from '#src/report/index';
import { reportOf } from '../../../core/src/finding/index.ts';
import { environment, KERNEL } from './sample.ts';
import { FILE, VERDICTS } from './verdicts.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const { dataclassesOf } = (await import(join(ROOT, 'scripts', 'wheel', 'dataclasses.mjs'))) as {
  dataclassesOf: (schema: unknown) => string;
};
const PYTHON = 'python3';
const OLD = 'import sys; sys.exit(sys.version_info < (3, 9))';
const skip = spawnSync(PYTHON, ['-c', OLD]).status !== 0 && 'needs Python 3.9';
const CODES = { certified: 0, counterexample: 1, inconclusive: 3 };

/** Reads reports of stdin, and writes their fields. */
const SHOW = `
import dataclasses, json, sys
from poundlock._report import report_of
shown = []
for code, document, text in json.load(sys.stdin):
    report = report_of(code, document, text)
    shown.append({
        **dataclasses.asdict(report),
        "assumptions": [dataclasses.asdict(each) for each in report.assumptions],
    })
print(json.dumps(shown))
`;

/** A document with the names of Python. What is not there is `None`, as what is `null`. */
function asPython(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPython);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(own.map(([key, part]) => [pythonName(key), asPython(part)]));
}

/** `ptxLine` is `ptx_line`; a reserved word gets a `_`. */
function pythonName(key: string): string {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return name === 'from' ? 'from_' : name;
}

test('a report has every field of its verdict', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-python-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'python'), folder, { recursive: true });
  const schema: unknown = JSON.parse(
    readFileSync(join(ROOT, 'docs', 'schema', 'report.json'), 'utf8'),
  );
  writeFileSync(join(folder, 'poundlock', 'documents.py'), dataclassesOf(schema));
  const reports = Object.values(VERDICTS).map(({ findings, ...rest }) => {
    const result = { verb: 'check', file: FILE, ...rest } as const;
    const report = reportOf('check', '1.2.3', [{ result, findings }]);
    const [document, text] = (['json', 'terminal'] as const).map((name) => {
      return REPORTERS[name].render(report, environment(KERNEL));
    }) as [string, string];
    return [CODES[rest.verdict], JSON.parse(document) as Document, text] as const;
  });
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', SHOW], {
    cwd: folder,
    input: JSON.stringify(reports),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const shown = JSON.parse(stdout) as Record<string, unknown>[];
  assert.equal(shown.length, reports.length);
  for (const [at, [code, { results, findings }, text]] of reports.entries()) {
    const own = shown[at]!;
    assert.deepEqual(
      [own['exit_code'], own['verdict'], own['text']],
      [code, results[0]!['verdict'], text],
    );
    assert.deepEqual(asPython(own['results']), asPython(results));
    assert.deepEqual(asPython(own['findings']), asPython(findings));
    const { assumptions } = results[0]!['scope'] as { assumptions: unknown };
    assert.deepEqual(asPython(own['assumptions']), asPython(assumptions));
  }
});

interface Document {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly findings: readonly unknown[];
}
