// Each rule has a page, whose programs do what it says, and an example or a labeled lint case.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { check } from 'poundlock/check';
import { caseFiles, kindOf, labelsOf } from '../../packages/lint/test/score.ts';
import { BUGS, PROFILES, WARNINGS } from '../../packages/poundlock/test/golden/bugs.ts';
import { readRulePage } from '../../packages/poundlock/src/cli/rule-pages.ts';
import {
  ALL_RULES,
  LINT_RULES,
  RUN_RULES,
  SCHEDULE_RULES,
  SIZE_RULES,
  severityOf,
  titleOf,
} from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');
const LINT = join(PACKAGES, 'lint', 'test');
const MAX_TITLE = 90;
const MAX_SENTENCES = 12;

// A project that has this package installed, so that the programs find it by its name.
const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-pages-'));
mkdirSync(join(FOLDER, 'node_modules'));
symlinkSync(join(PACKAGES, 'poundlock'), join(FOLDER, 'node_modules', 'poundlock'), 'junction');
after(() => rmSync(FOLDER, { recursive: true, force: true }));

async function load(name: string, text: string): Promise<Kernel> {
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, text);
  const module = (await import(pathToFileURL(file).href)) as { default: Kernel };
  return module.default;
}

test('every rule has a page, and every page a rule', () => {
  const files = ALL_RULES.map((rule) => `${rule}.md`);
  assert.deepEqual(readdirSync(join(PACKAGES, 'core', 'rules')).toSorted(), files.toSorted());
});

for (const rule of ALL_RULES) {
  test(`the page of ${rule} has its title, is short, and links to other rules`, () => {
    const page = readRulePage(rule);
    assert.equal(page.rule, rule);
    assert.equal(page.title, titleOf(rule));
    assert.ok(page.title.length <= MAX_TITLE);
    const sentences = page.what.match(/[.!?](?=\s|$)/g)?.length ?? 0;
    assert.ok(sentences >= 2 && sentences <= MAX_SENTENCES, `${sentences} sentences`);
    assert.ok(!page.seeAlso.includes(rule));
  });
}

// What only a source shows is tested where sources are read: test/lint.
for (const rule of [...SCHEDULE_RULES, ...RUN_RULES, ...SIZE_RULES]) {
  const { rejected, fixed } = readRulePage(rule);
  const memory = PROFILES[rule];
  const options = memory === undefined ? {} : { memory };
  test(`${rule}: the rejected program shows it`, async () => {
    const { verdict, findings } = await check(await load(`${rule}-rejected`, rejected), options);
    assert.equal(findings[0]?.rule, rule);
    assert.equal(verdict, severityOf(rule) === 'error' ? 'counterexample' : 'certified');
  });

  test(`${rule}: the fixed program is certified`, async () => {
    const { verdict, findings } = await check(await load(`${rule}-fixed`, fixed), options);
    assert.deepEqual(findings, []);
    assert.equal(verdict, 'certified');
  });
}

test('every rule of schedules has an example: of an error a broken one, of a warning its own', () => {
  for (const rule of [...SCHEDULE_RULES, ...SIZE_RULES]) {
    const examples = severityOf(rule) === 'error' ? BUGS : WARNINGS;
    assert.ok(
      Object.values(examples).some((example) => example.rule === rule),
      `no example shows ${rule}`,
    );
  }
});

/** Rules about pipelines and roles, whose cases are the programs of their pages: test/lint. */
const OF_PAGES = [
  'floating-op',
  'await-in-role',
  'loop-captures',
  'nondeterministic-role',
  'refused',
];

test('every rule of lint has a labeled case', () => {
  const files = ['cases', 'real', 'idioms'].flatMap((folder) => caseFiles(join(LINT, folder)));
  const kinds = new Set(files.flatMap((file) => labelsOf(file).expected.map(({ kind }) => kind)));
  const missing = LINT_RULES.filter((rule) => !kinds.has(kindOf(rule)));
  assert.deepEqual(missing, OF_PAGES);
});
