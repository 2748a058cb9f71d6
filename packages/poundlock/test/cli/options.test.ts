import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../../core/src/base/index.ts';
import { readCount, readTime } from '#src/cli/options/amount';
import { camelCase } from '#src/cli/options/cases';
import { readTargets } from '#src/cli/options/reporters';
import { readSets } from '#src/cli/options/set';
import { MAX_SWEEP_VALUES, readSweep, readSweeps } from '#src/cli/options/sweep';

test('--set keeps everything after the first =', () => {
  assert.deepEqual(
    [...readSets(['a=1', 'b=x=y', 'c='])],
    [
      ['a', '1'],
      ['b', 'x=y'],
      ['c', ''],
    ],
  );
  assert.throws(() => readSets(['a=1', 'a=2']), /--set gives a twice: .* --sweep a=1,2/);
  assert.throws(() => readSets(['=1']), /write it as name=value/);
});

const sweeps: [text: string, values: readonly string[]][] = [
  ['a=1..4', ['1', '2', '3', '4']],
  ['a=2..2', ['2']],
  ['a=-1..1', ['-1', '0', '1']],
  ['a=1..8..3', ['1', '4', '7']],
  ['a=0..0.3..0.1', ['0', '0.1', '0.2', '0.3']],
  ['a=5', ['5']],
  ['a=1,2,1,8', ['1', '2', '8']],
  ['a=true, false', ['true', 'false']],
];
for (const [text, values] of sweeps) {
  test(`--sweep ${text}`, () => assert.deepEqual(readSweep(text), { name: 'a', values }));
}

for (const text of ['a', 'a=', 'a=1..', 'a=1..x', 'a=,1', 'a=4..1', 'a=1..2..0', 'a=1..9..-1']) {
  test(`--sweep ${text} is rejected`, () =>
    assert.throws(() => readSweep(text), /^InputError: --sw/));
}

test('a sweep has a bound, and a name is swept once', () => {
  assert.equal(readSweep(`a=1..${MAX_SWEEP_VALUES}`).values.length, MAX_SWEEP_VALUES);
  assert.throws(
    () => readSweep(`a=0..${MAX_SWEEP_VALUES}`),
    /10,001 values, the maximum is 10,000/,
  );
  assert.throws(() => readSweeps(['a=1..2', 'a=3']), /gives a twice/);
});

test('counts are whole numbers', () => {
  assert.deepEqual(
    ['1', '10_000', '1e6'].map((text) => readCount('--n', text)),
    [1, 10_000, 1e6],
  );
  for (const text of ['0', '-1', '1.5', 'x', '', '1e99']) {
    assert.throws(() => readCount('--n', text), /--n must be a whole number/);
  }
});

test('times have units', () => {
  const texts = ['30', '30s', '500ms', '2m', '1.5 s', '1h'];
  const times = texts.map((text) => readTime('--t', text));
  assert.deepEqual(times, [30_000, 30_000, 500, 120_000, 1500, 3_600_000]);
  for (const text of ['0', 'x', '', '-1', '5 days']) {
    assert.throws(() => readTime('--t', text), /--t must be a time/);
  }
});

test('reporters go to stdout or to their file', () => {
  const shown = (reporter: string[], json?: true) =>
    readTargets({ reporter, ...(json && { json }) }).map(
      ({ name, file }) => `${name}:${file ?? '-'}`,
    );
  assert.deepEqual(shown([]), ['terminal:-']);
  assert.deepEqual(shown([], true), ['json:-']);
  assert.deepEqual(shown(['json'], true), ['json:-']);
  assert.deepEqual(shown(['terminal', 'json=a=b.json']), ['terminal:-', 'json:a=b.json']);
  assert.throws(() => shown(['json=a', 'terminal=a']), /two reporters write to a/);
  assert.throws(() => shown(['json=']), /needs a file/);
  assert.throws(() => shown(['htm=a']), /there is no reporter htm: did you mean html\?/);
  assert.throws(() => shown(['x']), /there are terminal, json, sarif, github, markdown, html/);
});

test('snake case names camel case', () => {
  const names = ['tile_bytes', 'stages', 'a_1', 'BUG_EARLY', 'tileBytes', '_x'];
  const camel = ['tileBytes', 'stages', 'a1', 'BUG_EARLY', 'tileBytes', '_x'];
  assert.deepEqual(names.map(camelCase), camel);
});

test('the nearest name is near enough to be meant', () => {
  assert.equal(nearest('stags', ['tiles', 'stages']), 'stages');
  assert.equal(nearest('STAGES', ['tiles', 'stages']), 'stages');
  assert.equal(nearest('over', ['deadlock', 'over-arrival']), 'over-arrival');
  assert.equal(nearest('depth', ['tiles', 'stages']), undefined);
});
