// tier: deep
// Masks of clusters against their definition in coordinates, and against the counts they must meet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { clusterOf, type CtaLayout, type McastMode } from '#src/cute/cluster';

const layouts = fc.tuple(
  fc.constantFrom(1, 2),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 4 }),
  fc.constantFrom(1, 1, 2),
);
const modes = fc.constantFrom<McastMode>([1, 1], [1, 0], [0, 1]);

const sizeOf = (layout: CtaLayout) => layout.reduce((product, size) => product * size, 1);

test('a release reaches the MMA row and the MMA column, as x and y of CUTLASS C++ say', () => {
  const shapes = [fc.constantFrom(1, 2), fc.integer({ min: 1, max: 4 }), fc.nat(3)] as const;
  fc.assert(
    fc.property(...shapes, (atom, rows, more) => {
      const [width, columns] = [rows * atom, more + 1];
      const { partnersAndPeers } = clusterOf([atom, rows, columns, 1]);
      for (let cta = 0; cta < width * columns; cta++) {
        const expected: number[] = [];
        for (let y = 0; y < columns; y++) {
          for (let x = 0; x < width; x++) {
            const isRow = Math.floor(x / atom) === Math.floor((cta % width) / atom);
            if (isRow || y === Math.floor(cta / width)) expected.push(x + y * width);
          }
        }
        assert.deepEqual(partnersAndPeers(cta) ?? [cta], expected);
      }
    }),
  );
});

test('as many leaders release a stage as its barrier counts', () => {
  fc.assert(
    fc.property(layouts, modes, (layout, mode) => {
      const { multicastSize, partnersAndPeers, isLeader, partners } = clusterOf(layout, mode);
      const ctas = [...Array(sizeOf(layout)).keys()];
      for (const cta of ctas) {
        const reach = (who: typeof partners, from: number) => (who(from) ?? [from]).includes(cta);
        const commits = ctas.filter((from) => isLeader(from) && reach(partnersAndPeers, from));
        const arrivals = ctas.filter((from) => reach(partners, from));
        assert.deepEqual([commits.length, arrivals.length], [multicastSize, multicastSize]);
      }
    }),
  );
});

test('a pair has one leader, which both reach', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const { pair, leader, isLeader } = clusterOf(layout);
      for (const cta of Array(sizeOf(layout)).keys()) {
        const both = pair(cta) ?? [cta];
        const leads = leader(cta) ?? [cta];
        assert.deepEqual(both.filter(isLeader), leads);
        assert.equal(both.length, layout[0]);
        assert.ok(both.includes(cta));
      }
    }),
  );
});
