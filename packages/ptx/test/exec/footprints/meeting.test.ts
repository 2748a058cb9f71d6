// Spans of several threads that meet, against all pairs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { meeting, type Span } from '#src/exec/footprints/meeting';

const SPAN: fc.Arbitrary<Span> = fc
  .record({
    from: fc.integer({ min: 0, max: 20 }),
    bytes: fc.integer({ min: 1, max: 12 }),
    by: fc.integer({ min: 0, max: 3 }),
    isWrite: fc.boolean(),
    isOrdered: fc.boolean(),
  })
  .map(({ from, bytes, ...rest }) => ({ from, to: from + bytes, ...rest }));

function meets(one: Span, other: Span): boolean {
  const isConflict = one.by !== other.by && (one.isWrite || other.isWrite);
  const areOrdered = one.isOrdered && other.isOrdered;
  return isConflict && !areOrdered && one.from < other.to && other.from < one.to;
}

test('a span meets those of others where one of both is a write, and one is not ordered', () => {
  fc.assert(
    fc.property(fc.array(SPAN, { maxLength: 12 }), (spans) => {
      const expected = spans.map((one) => (spans.some((two) => meets(one, two)) ? 1 : 0));
      assert.deepEqual([...meeting(spans)], expected);
    }),
  );
});
