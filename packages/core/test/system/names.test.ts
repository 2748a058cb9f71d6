// Names of roles in sentences: those whose numbers follow one another are a series.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { list, listOfShares } from '../../src/system/names.ts';

const warps = (...numbers: readonly number[]): string[] => numbers.map((one) => `warp${one}`);

test('three names or more whose numbers follow one another are a series', () => {
  assert.equal(list([]), '');
  assert.equal(list(warps(0)), 'warp0');
  assert.equal(list(warps(0, 1)), 'warp0 and warp1');
  assert.equal(list(warps(0, 1, 2)), 'warp0–warp2');
  assert.equal(list(warps(0, 1, 2, 8, 9, 10, 12)), 'warp0–warp2, warp8–warp10 and warp12');
  assert.equal(list(warps(2, 1, 0)), 'warp2, warp1 and warp0');
  assert.equal(list(['a.warp1', 'b.warp2', 'b.warp3']), 'a.warp1, b.warp2 and b.warp3');
  assert.equal(list(['1', '2', '3']), '1, 2 and 3');
});

test('what all of a series bring is there once', () => {
  const of = (count: number, ...numbers: readonly number[]) =>
    warps(...numbers).map((name) => ({ count, name }));
  assert.equal(listOfShares(of(32, 0)), '32 from warp0');
  assert.equal(
    listOfShares([...of(1, 0), ...of(32, 1, 2)]),
    '1 from warp0, 32 from warp1 and 32 from warp2',
  );
  assert.equal(
    listOfShares([...of(1, 0), ...of(32, 1, 2, 3)]),
    '1 from warp0 and 32 from each of warp1–warp3',
  );
  const threads = of(32, 4, 5, 6).map((one) => ({ ...one, of: 'the threads of' }));
  assert.equal(listOfShares(threads), '32 from the threads of each of warp4–warp6');
});

test('a list names exactly its names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(14)), (numbers) => {
      const named = list(warps(...numbers))
        .split(/, | and /)
        .filter((part) => part !== '');
      const read = named.flatMap((part) => {
        const [first, last = first] = part.split('–').map((one) => Number(one.slice(4)));
        return Array.from({ length: last! - first! + 1 }, (_, at) => first! + at);
      });
      assert.deepEqual(read, numbers);
    }),
  );
});
