// tier: deep
// More random programs: none that is right on every path has a finding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './random/compare.ts';

const FIRST = 100_000;
const PROGRAMS = 3000;
/** Wrong programs without a finding, of a hundred wrong ones. */
const MAX_MISSED_PERCENT = 4;

test('lint agrees with the execution of thousands of random programs', () => {
  const { wrong, falseAlarms, missed } = compare(FIRST, PROGRAMS);
  assert.deepEqual(falseAlarms, []);
  assert.ok((100 * missed.length) / wrong <= MAX_MISSED_PERCENT, `${missed.length} of ${wrong}`);
});
