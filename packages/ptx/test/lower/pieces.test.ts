// Ranges in any order as sorted ranges without overlaps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { normalized } from '#src/lower/pieces';

/** The same, byte by byte. */
function bytesOf(ranges: readonly number[]): number[] {
  const bytes = new Set<number>();
  for (let index = 0; index < ranges.length; index += 2)
    for (let at = ranges[index]!; at < ranges[index + 1]!; at++) bytes.add(at);
  return [...bytes].toSorted((one, other) => one - other);
}

const range = fc.tuple(fc.nat(60), fc.integer({ min: -2, max: 9 }));

test('ranges are sorted, and joined where they meet', () => {
  fc.assert(
    fc.property(fc.array(range), fc.constantFrom(0, 2 ** 24, 2 ** 31, 2 ** 52), (list, base) => {
      const ranges = list.flatMap(([from, length]) => [base + from, base + from + length]);
      const found = normalized(ranges);
      assert.deepEqual(bytesOf(found), bytesOf(ranges));
      for (let index = 1; index < found.length; index++)
        assert.ok(found[index]! > found[index - 1]!);
    }),
    { numRuns: 200 },
  );
});
