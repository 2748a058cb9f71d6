// Runs that are kept: each is made once, until those used later are too many or too large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunCache } from '#src/kernel/run-cache';

/** Asks for runs by name and lists those that were not there. */
function missesOf(names: string, stepsOf: (name: string) => number): string {
  const runs = new RunCache<{ readonly steps: number; readonly name: string }>();
  let misses = '';
  for (const name of names) {
    const run = runs.of(name, () => {
      misses += name;
      return { name, steps: stepsOf(name) };
    });
    assert.equal(run.name, name);
  }
  return misses;
}

test('a run is made once while all are small', () => {
  assert.equal(
    missesOf('abcabcabc', () => 10),
    'abc',
  );
});

test('the run that was used longest ago goes first', () => {
  assert.equal(
    missesOf('abacab', () => 400_000),
    'abcb',
  );
});

test('the last run is kept, however large it is', () => {
  assert.equal(
    missesOf('aabb', () => 9_000_000),
    'ab',
  );
});

test('no more than 64 runs are kept', () => {
  const names = Array.from({ length: 65 }, (_, index) => String.fromCharCode(0x4e00 + index));
  const all = names.join('');
  assert.equal(
    missesOf(`${all}${names[0]}${names[64]}`, () => 0),
    `${all}${names[0]}`,
  );
});
