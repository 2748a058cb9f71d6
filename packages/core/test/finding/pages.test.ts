import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { check } from '../../../poundlock/src/check/index.ts';
import { ALL_RULES, RULES, severityOf } from '#src/finding/index';
import { allPages } from '#src/finding/pages/index';
import type { Kernel } from '#src/program/index';

// A project that has this package installed, so that the programs find it by its name.
const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-pages-'));
mkdirSync(join(FOLDER, 'node_modules'));
const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'poundlock');
symlinkSync(PACKAGE, join(FOLDER, 'node_modules', 'poundlock'), 'junction');
after(() => rmSync(FOLDER, { recursive: true, force: true }));

async function load(name: string, text: string): Promise<Kernel> {
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, text);
  const module = (await import(pathToFileURL(file).href)) as { default: Kernel };
  return module.default;
}

test('every rule has one page', () => {
  assert.deepEqual(
    allPages().map((page) => page.rule),
    [...ALL_RULES],
  );
});

test('a page is short and leads on to other rules', () => {
  for (const { rule, title, what, seeAlso } of allPages()) {
    assert.ok(title.length <= 90 && !title.endsWith('.'), rule);
    const sentences = what.match(/[.!?](?= |$)/g)?.length ?? 0;
    assert.ok(sentences >= 1 && sentences <= 5, `${rule} has ${sentences} sentences`);
    assert.ok(seeAlso.length > 0 && !seeAlso.includes(rule), rule);
  }
});

// What only a source shows is tested where sources are read: test/lint.
const ofSchedules: ReadonlySet<string> = new Set(RULES);
for (const { rule, rejected, fix } of allPages().filter((page) => ofSchedules.has(page.rule))) {
  test(`${rule}: the rejected program shows it`, async () => {
    const { verdict, findings } = await check(await load(`${rule}-rejected`, rejected));
    assert.equal(findings[0]?.rule, rule);
    assert.equal(verdict, severityOf(rule) === 'error' ? 'counterexample' : 'certified');
  });

  test(`${rule}: the fixed program is certified`, async () => {
    const { verdict, findings } = await check(await load(`${rule}-fixed`, fix));
    assert.deepEqual(findings, []);
    assert.equal(verdict, 'certified');
  });
}
