// The buffers of pieces that several warps store equal values into, or access atomically: two
// accesses share a buffer that one of them writes exactly where they would be a race.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PlannedBuffers } from '#src/lower/buffers';
import type { Touched } from '#src/lower/buffers';
import { lowerRun } from '#src/lower/roles';
import type { ReferenceRun } from '#src/steps/run';
import type { AccessKind, Step } from '#src/steps/step';

/** An access of 4 bytes, between two other steps. */
interface Access {
  readonly warp: number;
  readonly kind: AccessKind;
  readonly isWrite: boolean;
  /** Words that are accessed. */
  readonly words: readonly number[];
  /** Values that are stored into each word, one after the other; -1 is an unknown identity. */
  readonly values: readonly number[];
}

const WARPS = 3;

function stepsOf({ kind, isWrite, words, values }: Access, at: number): Step[] {
  const ranges = words.flatMap((word) => [word * 4, word * 4 + 4]);
  const fence: Step = { op: 'named', at: 0, id: 0, threads: 32, arriving: 32, isSync: true };
  if (!isWrite) return [{ op: 'access', at, kind, reads: ranges, writes: [], values: [] }, fence];
  const stores = values.map((value): Step => ({
    op: 'access',
    at,
    kind,
    reads: [],
    writes: ranges,
    values: value < 0 ? [] : words.flatMap(() => [value, 0]),
  }));
  return [...stores, fence];
}

/** What each access touches, by its index. */
function touchedBy(accesses: readonly Access[]): Map<number, Touched[]> {
  const run = {
    ctas: 1,
    warps: Array.from({ length: WARPS }, (_, warp) => ({
      cta: 0,
      warp,
      threads: 32,
      stuck: null,
      steps: accesses.flatMap((access, at) => (access.warp === warp ? stepsOf(access, at) : [])),
    })),
    nameOf: String,
    effectOf: () => null,
    counts: new Map(),
    earlier: [],
    clusterSize: 1,
    counters: { words: new Map(), guards: 0 },
  } as unknown as ReferenceRun;
  const plan = lowerRun(run);
  const buffers = new PlannedBuffers(plan, run);
  const touched = new Map<number, Touched[]>();
  for (const { actions } of plan.roles)
    for (const action of actions)
      if (action.kind === 'access')
        touched.set(action.at, [...(touched.get(action.at) ?? []), buffers.of(action)]);
  return touched;
}

function shareBuffer(left: readonly Touched[], right: readonly Touched[]): boolean {
  const ids = (all: readonly Touched[], field: 'reads' | 'writes'): number[] =>
    all.flatMap((each) => each[field].map(({ buffer }) => buffer));
  const [leftWrites, rightWrites] = [ids(left, 'writes'), ids(right, 'writes')];
  const leftAll = new Set([...leftWrites, ...ids(left, 'reads')]);
  const rightAll = new Set([...rightWrites, ...ids(right, 'reads')]);
  return (
    leftWrites.some((buffer) => rightAll.has(buffer)) ||
    rightWrites.some((buffer) => leftAll.has(buffer))
  );
}

/** Whether two accesses of different warps would be a race: the definition. */
function wouldRace(left: Access, right: Access): boolean {
  if (!left.words.some((word) => right.words.includes(word))) return false;
  if (!left.isWrite && !right.isWrite) return false;
  if (left.kind !== 'plain' && right.kind !== 'plain') return false;
  const areStores =
    left.isWrite && right.isWrite && left.kind === 'plain' && right.kind === 'plain';
  const isOne = ({ values }: Access): boolean => values.every((value) => value === values[0]);
  const areEqual = areStores && isOne(left) && isOne(right) && left.values[0] === right.values[0];
  return !(areEqual && left.values[0]! >= 0);
}

const access: fc.Arbitrary<Access> = fc
  .record({
    warp: fc.nat(WARPS - 1),
    kind: fc.constantFrom<AccessKind>('plain', 'plain', 'plain', 'volatile', 'atomic'),
    isWrite: fc.boolean(),
    words: fc.constantFrom([0], [1], [0, 1], [0, 2]),
    values: fc.oneof(
      fc.constantFrom([1], [2], [-1]),
      fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 2 }),
    ),
  })
  .map((each) => ({
    ...each,
    values: each.kind === 'plain' ? each.values : each.values.slice(0, 1),
  }));

test('accesses conflict where they would race, and nowhere else', () => {
  fc.assert(
    fc.property(fc.array(access, { minLength: 2, maxLength: 7 }), (accesses) => {
      const touched = touchedBy(accesses);
      for (const [i, left] of accesses.entries())
        for (const [j, right] of accesses.entries()) {
          if (i >= j || left.warp === right.warp) continue;
          const isConflict = shareBuffer(touched.get(i) ?? [], touched.get(j) ?? []);
          assert.equal(isConflict, wouldRace(left, right), `${i} and ${j}`);
        }
    }),
    { numRuns: 500 },
  );
});

test('of many values in one place equal ones alone are no race', () => {
  const values = Array.from({ length: 24 }, (_, index) => index % 7);
  const accesses = values.map((value, index) => write(index % WARPS, [value]));
  const touched = touchedBy(accesses);
  for (const [i, left] of accesses.entries())
    for (const [j, right] of accesses.entries())
      if (i < j && left.warp !== right.warp)
        assert.equal(
          shareBuffer(touched.get(i)!, touched.get(j)!),
          wouldRace(left, right),
          `${i} and ${j}`,
        );
});

test('600 values in one place take a few buffers', () => {
  const accesses = Array.from({ length: 1200 }, (_, index) => write(index % 2, [index >> 1]));
  const touched = touchedBy(accesses);
  const all = [...touched.values()].flat().flatMap(({ reads, writes }) => [...reads, ...writes]);
  assert.equal(new Set(all.map(({ buffer }) => buffer)).size, 1 + 2 * 2 * 10);
  assert.equal(shareBuffer(touched.get(1198)!, touched.get(1199)!), false);
  assert.equal(shareBuffer(touched.get(1196)!, touched.get(1199)!), true);
});

function write(warp: number, values: readonly number[], words = [0]): Access {
  return { warp, kind: 'plain', isWrite: true, words, values };
}

test('equal values are no race although one warp stores others earlier', () => {
  const touched = touchedBy([write(0, [7]), write(0, [1]), write(1, [1])]);
  assert.equal(shareBuffer(touched.get(1)!, touched.get(2)!), false);
  assert.equal(shareBuffer(touched.get(0)!, touched.get(2)!), true);
});

test('the same two values one after the other are a race: another warp may store between', () => {
  const touched = touchedBy([write(0, [1, 2]), write(1, [1, 2])]);
  assert.equal(shareBuffer(touched.get(0)!, touched.get(1)!), true);
});

test('a plain store races with the atomics of others although its warp uses atomics, too', () => {
  const atomic = (warp: number): Access => ({ ...write(warp, [1]), kind: 'atomic' });
  const touched = touchedBy([write(0, [0]), atomic(0), atomic(1)]);
  assert.equal(shareBuffer(touched.get(0)!, touched.get(2)!), true);
  assert.equal(shareBuffer(touched.get(1)!, touched.get(2)!), false);
});

test('equal values that overlap in part are compared byte by byte', () => {
  const touched = touchedBy([write(0, [1], [0, 1]), write(1, [1], [1])]);
  assert.equal(shareBuffer(touched.get(0)!, touched.get(1)!), false);
});

test('accesses that may happen are named, and are not one with those that do', () => {
  const step = (at: number, isPossible: boolean): Step => ({
    op: 'access',
    at,
    kind: 'plain',
    reads: [0, 4],
    writes: [],
    values: [],
    isPossible,
  });
  const run = {
    ctas: 1,
    warps: [
      {
        cta: 0,
        warp: 0,
        threads: 32,
        stuck: null,
        steps: [step(1, false), step(2, true), step(3, false)],
      },
    ],
    nameOf: String,
    effectOf: () => null,
    counts: new Map(),
    earlier: [],
    clusterSize: 1,
    counters: { words: new Map(), guards: 0 },
  } as unknown as ReferenceRun;
  const plan = lowerRun(run);
  assert.deepEqual([...plan.possible], [[2, 'happens']]);
  assert.deepEqual(
    plan.roles[0]!.actions.map(({ at }) => at),
    [1, 2, 3],
  );
});
