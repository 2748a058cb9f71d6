// The catalogue of rules: its form and order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALL_RULES,
  causeFirst,
  evidenceOf,
  isRule,
  LINT_RULES,
  RUN_RULES,
  SCHEDULE_RULES,
  SIZE_RULES,
  titleOf,
} from '#src/finding/index';

test('a title is a clause in lower case without a period', () => {
  for (const rule of ALL_RULES) assert.match(titleOf(rule), /^[a-z][^.]*[^.\s]$/, rule);
});

test('a rule is of schedules, of sources, of both, of runs or of sizes', () => {
  const both = new Set<string>([...SCHEDULE_RULES, ...LINT_RULES, ...RUN_RULES, ...SIZE_RULES]);
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
      size: [false, false],
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
