// tier: deep
// Each public bug of examples/bugs is found under its rule, and its fix is certified.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kernel } from 'poundlock';
import { check, type CheckResult } from 'poundlock/check';
import { BUGS } from '../../../../examples/bugs/about.ts';
import { expectPage } from '../generated-page.ts';
import { namesIn, ROOT } from '../golden/golden.ts';
import { pageOf, type Row } from './page.ts';
import { threadOf } from './thread.ts';

const FOLDER = join(ROOT, 'examples', 'bugs');
const NAMES = namesIn('examples/bugs').filter((name) => name !== 'about');

const rows: Row[] = [];

async function verdictOf(name: string, fixed: boolean): Promise<CheckResult> {
  const { default: kernel } = (await import(join(FOLDER, `${name}.ts`))) as { default: Kernel };
  const { memory } = BUGS[name] ?? {};
  return check(kernel, { params: { fixed }, ...(memory === undefined ? {} : { memory }) });
}

for (const [name, about] of Object.entries(BUGS)) {
  test(`${name} is found as ${about.rule}, and certified with its fix`, async () => {
    const url = threadOf(join(FOLDER, `${name}.ts`), about.thread);
    const bug = await verdictOf(name, false);
    const fix = await verdictOf(name, true);
    const rule = bug.findings[0]?.rule ?? bug.verdict;
    const steps = Math.min(...bug.findings.map(({ trace }) => trace?.length ?? 0));
    const { thread, cause } = about;
    rows.push({ name, thread, url, cause, rule, steps, fix: fix.verdict });
    assert.equal(rule, about.rule);
    assert.deepEqual([fix.verdict, fix.findings], ['certified', []]);
  });
}

test('every program has its row in BUGS, sorted by number', () => {
  assert.deepEqual(Object.keys(BUGS), NAMES);
});

test('examples/bugs/README.md is the table of these verdicts', () => {
  expectPage('examples/bugs/README.md', pageOf(rows));
});
