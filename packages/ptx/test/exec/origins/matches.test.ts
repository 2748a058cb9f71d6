// Which unknown data of one place stands for which of another one: each for one alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Matches } from '#src/exec/origins/alike';

const COUNT = 6;
/** Data here, and what is found there: its low bits are often equal. */
const pair = fc.tuple(
  fc.nat(COUNT - 1),
  fc.constantFrom(0, 1, 16, 17, 0xffffffff),
  fc.constantFrom(0, 1, 0xffffffff),
);

test('data is matched as by two maps, in one place after the other', () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.array(fc.array(pair, { maxLength: 12 }), { maxLength: 4 }), (places) => {
      const matches = new Matches(COUNT);
      for (const pairs of places) {
        matches.clear();
        const [there, here] = [new Map<number, string>(), new Map<string, number>()];
        for (const [data, low, high] of pairs) {
          const found = `${low}:${high}`;
          const isOne = (there.get(data) ?? found) === found && (here.get(found) ?? data) === data;
          assert.equal(matches.match(data, low, high), isOne);
          if (!isOne) refused++;
          if (!isOne) break;
          there.set(data, found);
          here.set(found, data);
        }
      }
    }),
  );
  assert.ok(refused > 0);
});
