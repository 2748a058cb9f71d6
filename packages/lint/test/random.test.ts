// Random programs: lint is silent on those that are right on every path, and misses few others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './random/compare.ts';

const PROGRAMS = 300;

/** Seeds of right programs that have a finding; this list only gets shorter. */
const FALSE_ALARMS: readonly number[] = [];
/** The most wrong programs without a finding; it only gets smaller. */
const MAX_MISSED = 5;

test('lint agrees with the execution of random programs on all their paths', (t) => {
  const { right, wrong, falseAlarms, missed } = compare(1, PROGRAMS);
  t.diagnostic(`${right} right, ${wrong} wrong; missed ${missed.join()}`);
  assert.ok(right > 60 && wrong > 60);
  assert.deepEqual(falseAlarms, FALSE_ALARMS);
  assert.ok(missed.length <= MAX_MISSED, `missed ${missed.length}`);
});
