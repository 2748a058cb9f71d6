import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, duration, grouped } from '../../../core/src/base/quantity.ts';

test('numbers have thousands separators', () => {
  const shown = [0, 12, 999, 1000, 12_345, 1_234_567, -4321, 1234.5].map(grouped);
  assert.deepEqual(shown, ['0', '12', '999', '1,000', '12,345', '1,234,567', '-4,321', '1,234.5']);
});

test('one thing is singular', () => {
  assert.deepEqual(
    [0, 1, 2000].map((n) => counted(n, 'state')),
    ['0 states', '1 state', '2,000 states'],
  );
});

test('times have the unit that fits', () => {
  const times = [0.2, 12.3, 99.4, 99.6, 123.4, 9994, 9996, 59_940, 59_960, 125_400];
  assert.deepEqual(times.map(duration), [
    '0 ms',
    '12 ms',
    '99 ms',
    '0.10 s',
    '0.12 s',
    '9.99 s',
    '10.0 s',
    '59.9 s',
    '1 min 00 s',
    '2 min 05 s',
  ]);
});
