// Ranges of several warps that overlap, against all pairs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { contested, type Interval } from '#src/redundancy/contested';

const INTERVAL: fc.Arbitrary<Interval> = fc
  .record({
    from: fc.integer({ min: 0, max: 20 }),
    bytes: fc.integer({ min: 1, max: 12 }),
    warp: fc.integer({ min: 0, max: 3 }),
    isWrite: fc.boolean(),
  })
  .map(({ from, bytes, warp, isWrite }) => ({ from, to: from + bytes, warp, isWrite }));

function meets(one: Interval, other: Interval): boolean {
  const isConflict = one.warp !== other.warp && (one.isWrite || other.isWrite);
  return isConflict && one.from < other.to && other.from < one.to;
}

test('an interval is contested if it meets one of another warp', () => {
  fc.assert(
    fc.property(fc.array(INTERVAL, { maxLength: 12 }), (intervals) => {
      const expected = intervals.map((one) => (intervals.some((two) => meets(one, two)) ? 1 : 0));
      assert.deepEqual([...contested(intervals)], expected);
    }),
  );
});
