// Lines in the order of their last use, beside a `Map` that keeps the same order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, integer, oneof, property } from 'fast-check';
import { RecentLines } from '#src/simulate/issue/recent-lines';

const FAR = 2 ** 42;
const FORGET = -1;

/** Few lines that are used again, many of one block, and those of other blocks. */
const line = oneof(
  integer({ min: 0, max: 9 }),
  integer({ min: 0, max: 5000 }),
  integer({ min: 0, max: 700 }).map((block) => 3 + block * FAR),
);

test('lines keep their sectors and their order, however many there are', () => {
  const moves = array(
    oneof({ weight: 8, arbitrary: line }, integer({ min: FORGET, max: FORGET })),
    {
      size: 'max',
      maxLength: 4000,
    },
  );
  let most = 0;
  holds(
    property(moves, (list) => {
      const lines = new RecentLines();
      const expected = new Map<number, number>();
      for (const [at, move] of list.entries()) {
        if (move !== FORGET) {
          const note = expected.get(move);
          const place = lines.use(move);
          assert.deepEqual([lines.sectors[place], lines.notes[place]], noted(note, lines, place));
          expected.delete(move);
          expected.set(move, at);
          lines.sectors[place] = 1 + (at % 15);
          lines.notes[place] = at;
        } else if (expected.size > 0) {
          const [oldest] = expected;
          assert.equal(lines.notes[lines.oldest], oldest![1]);
          expected.delete(oldest![0]);
          lines.forget();
        }
        assert.equal(lines.size, expected.size);
        most = Math.max(most, lines.size);
      }
      for (const [, note] of expected) {
        assert.equal(lines.notes[lines.oldest], note);
        lines.forget();
      }
      assert.equal(lines.size, 0);
    }),
    { numRuns: 60 },
  );
  assert.ok(most > 600, `${most} lines`);
});

/** What a line that is used again has; a new one has no sectors, and its note says nothing. */
function noted(note: number | undefined, { notes }: RecentLines, place: number): number[] {
  return note === undefined ? [0, notes[place]!] : [1 + (note % 15), note];
}
