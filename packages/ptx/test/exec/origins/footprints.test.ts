// Footprints of blocks (theorem B2), against all pairs of blocks that are executed alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BlockFootprints } from '#src/exec/footprints/between';
import { ownTouch } from '#src/exec/footprints/groups';
import { TouchPlacer } from '#src/exec/footprints/placed-touch';
import type { Touch } from '#src/steps/touches';
import { Work } from '#src/exec/origins/work';
import { Classes, clustersAcross, placeOf } from '#src/exec/origins/classes';
import { touching } from './kernels.ts';
import { looping } from './loops.ts';
import { blocksOf } from './runs.ts';
import type { Blocks } from './runs.ts';

const GRID = { grid: [5, 3, 1] };
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80);

interface Placed {
  readonly touch: Touch;
  readonly ranges: readonly number[];
}

/** What each block touches, as it was executed. */
function touchesOf({ launch, runs }: Blocks): Placed[][] {
  const across = clustersAcross(launch);
  const places = [...runs.keys()].map((block) => placeOf(block, across));
  const placer = new TouchPlacer(new Work(Infinity), places);
  return runs.map(({ machine }, block) =>
    machine.touches!.list.map((touch) => ({ touch, ranges: placer.rangesIn(touch, block, 0)! })),
  );
}

function doMeet(one: Placed, other: Placed): boolean {
  if (!(one.touch.isWrite || other.touch.isWrite)) return false;
  const fixed = one.touch.stored?.fixed ?? null;
  const isSame = fixed !== null && fixed === other.touch.stored?.fixed;
  if (isSame && one.ranges.join() === other.ranges.join()) return false;
  return one.ranges.some((from, index) =>
    other.ranges.some((least, at) => {
      if (index % 2 === 1 || at % 2 === 1) return false;
      return from < other.ranges[at + 1]! && least < one.ranges[index + 1]!;
    }),
  );
}

/** All pairs of blocks that meet. */
function pairsOf(blocks: Blocks): Set<string> {
  const all = touchesOf(blocks);
  const pairs = new Set<string>();
  for (const [block, own] of all.entries())
    for (const [other, theirs] of all.entries())
      if (other > block && own.some((one) => theirs.some((two) => doMeet(one, two))))
        pairs.add(`${block} ${other}`);
  return pairs;
}

/** So many meetings are looked at. */
const FIRST = 40;

/** Pairs of blocks that footprints of the classes show to meet. */
function foundPairs({ launch, runs }: Blocks): Set<string> {
  const classes = new Classes(launch);
  const all = [];
  for (let next = 0; next >= 0; next = classes.next) {
    const { blocks, touches } = runs[next]!.machine;
    classes.add(next, blocks!.list, ownTouch([touches!]) === undefined);
    all.push({ number: all.length + 1, cluster: next, runs: [touches!] });
  }
  const across = clustersAcross(launch);
  const footprints = new BlockFootprints(launch, across, all, (each) => classes.classOf(each));
  const pairs = new Set<string>();
  let count = 0;
  for (const { one, other } of footprints.meetings()) {
    if (++count > FIRST) break;
    pairs.add([one.cluster, other.cluster].toSorted((a, b) => a - b).join(' '));
  }
  return pairs;
}

/** Whether footprints say which blocks meet, in random kernels. */
function comparePairs(kernels: fc.Arbitrary<string>, count: number): void {
  let met = 0;
  fc.assert(
    fc.property(kernels, (text) => {
      const blocks = blocksOf(text, GRID);
      const expected = pairsOf(blocks);
      const found = foundPairs(blocks);
      // Of blocks that are alike, some stand for the others.
      assert.equal(found.size > 0, expected.size > 0, `${[...expected].join(', ')}\n${text}`);
      for (const pair of found) assert.ok(expected.has(pair), `${pair}\n${text}`);
      if (expected.size > 0) met++;
    }),
    { numRuns: count },
  );
  assert.ok(met > count / 10 && met < count);
}

test('blocks meet where footprints say so', () => {
  comparePairs(touching, RUNS);
});

test('blocks meet in what their loops touch', () => {
  comparePairs(looping, RUNS / 4);
});
