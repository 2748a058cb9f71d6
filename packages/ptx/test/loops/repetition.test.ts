// Lists that repeat a part ever more often are recognized, and no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isRepeated, repetitionOf } from '#src/loops/repetition';

const words = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength });

/** The list with `part` so many times between `before` and `after`. */
const listOf = (before: string[], part: string[], after: string[], times: number): string[] => [
  ...before,
  ...Array.from({ length: times }, () => part).flat(),
  ...after,
];

test('a part that is repeated once more in each list is found', () => {
  fc.assert(
    fc.property(words(5), words(4), words(5), fc.nat(2), (before, part, after, least) => {
      const lists = [0, 1, 2, 3].map((times) => listOf(before, part, after, least + times));
      const found = repetitionOf(lists);
      assert.ok(found !== null);
      assert.equal(found.length, part.length);
      const far = listOf(before, part, after, least + 9);
      assert.ok(isRepeated(far, lists[1]!, found, 9));
    }),
  );
});

test('lists are only what a repetition makes of them', () => {
  fc.assert(
    fc.property(fc.array(words(6), { minLength: 4, maxLength: 4 }), (lists) => {
      const found = repetitionOf(lists);
      if (found === null) return;
      const [first, second] = [lists[0]!, lists[1]!];
      const part = second.slice(found.at, found.at + found.length);
      const [before, after] = [first.slice(0, found.at), first.slice(found.at)];
      for (const [times, list] of lists.entries())
        assert.deepEqual(list, listOf(before, part, after, times));
    }),
  );
});

test('lists that change otherwise have no repetition', () => {
  for (const lists of [
    [['a'], ['a', 'b'], ['a', 'b', 'c']],
    [['a', 'b'], ['a']],
    [
      ['a', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'b', 'd'],
    ],
    [['a']],
  ])
    assert.equal(repetitionOf(lists), null);
});
