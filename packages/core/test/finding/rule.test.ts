// The catalogue of rules: its form and order, and an example or a lint case of each rule.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ALL_RULES,
  causeFirst,
  evidenceOf,
  isRule,
  LINT_RULES,
  RUN_RULES,
  SCHEDULE_RULES,
  severityOf,
  titleOf,
} from '#src/finding/index';
import { BUGS, WARNINGS } from '../../../poundlock/test/golden/bugs.ts';
import { caseFiles, kindOf, labelsOf } from '../../../lint/test/score.ts';

const LINT = join(import.meta.dirname, '..', '..', '..', 'lint', 'test');

test('a title is a clause in lower case without a period', () => {
  for (const rule of ALL_RULES) assert.match(titleOf(rule), /^[a-z][^.]*[^.\s]$/, rule);
});

test('a rule is of schedules, of sources, of both, or of runs', () => {
  const both = new Set<string>([...SCHEDULE_RULES, ...LINT_RULES, ...RUN_RULES]);
  assert.deepEqual([...both].toSorted(), ALL_RULES.toSorted());
  for (const rule of ALL_RULES) {
    const [inSchedules, inSources] = [SCHEDULE_RULES, LINT_RULES].map((rules) =>
      (rules as readonly string[]).includes(rule),
    );
    const evidence = {
      schedule: [true, false],
      source: [false, true],
      either: [true, true],
      run: [false, false],
    };
    assert.deepEqual([inSchedules, inSources], evidence[evidenceOf(rule)], rule);
  }
  assert.deepEqual([isRule('race'), isRule('toString'), isRule('races')], [true, false, false]);
});

test('causes come before the deadlock that they lead to', () => {
  const rules = ['deadlock', 'stepped-without-signal', 'double-acquire'] as const;
  const sorted = ['stepped-without-signal', 'double-acquire', 'deadlock'];
  assert.deepEqual([...rules].toSorted(causeFirst), sorted);
});

test('every rule of schedules has an example: of an error a broken one, of a warning its own', () => {
  for (const rule of SCHEDULE_RULES) {
    const examples = severityOf(rule) === 'error' ? BUGS : WARNINGS;
    assert.ok(
      Object.values(examples).some((example) => example.rule === rule),
      `no example shows ${rule}`,
    );
  }
});

/** Rules about pipelines and roles, whose cases are the programs of their pages: test/lint. */
const OF_PAGES = ['floating-op', 'await-in-role', 'loop-captures', 'nondeterministic-role'];

test('every rule of lint has a labeled case', () => {
  const files = ['cases', 'real', 'idioms'].flatMap((folder) => caseFiles(join(LINT, folder)));
  const kinds = new Set(files.flatMap((file) => labelsOf(file).expected.map(({ kind }) => kind)));
  const missing = LINT_RULES.filter((rule) => !kinds.has(kindOf(rule)));
  assert.deepEqual(missing, OF_PAGES);
});
