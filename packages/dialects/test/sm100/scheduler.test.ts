// tier: deep
// Schedulers: who asks for tiles, who fetches them and when, and what each iterator leaves to others.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import { count, end, kernel, loop, role, syncCluster, type Kernel, type Op } from 'poundlock';
import {
  GroupedClcScheduler,
  GroupedTileScheduler,
  TileScheduler,
  TileSchedulerSplitK,
  WaitAndAdvanceContext,
  WaitAndAdvanceHandle,
  WARP_SIZE,
  WorkInfo,
} from '@poundlock/dialects/sm100';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { stepsOf } from './steps.ts';

type Part = Generator<Op, void, number>;
type Warp = (scheduler: TileScheduler) => Part;

const FETCH = [
  'waitStage clc as consumer',
  'read clc_response',
  'arrive clc.empty 32',
  'step clc as consumer',
];
const THROTTLE = [
  'waitStage clc_throttle as producer',
  'arrive clc_throttle.full 32',
  'step clc_throttle as producer',
];

/** A scheduler warp, a load warp that signals its throttle, and one warp more. */
function scheduled(
  warp: Warp,
  options: { tiles?: number; stages?: number; load?: Warp } = {},
): Kernel {
  const { tiles = 4, stages = 2, load = signalsEachTile } = options;
  return kernel('scheduled', {}, () => {
    const scheduler = new TileScheduler({ stages, clusterSize: 1, tiles });
    const lanes = { lanes: WARP_SIZE };
    return [
      role('scheduler', lanes, function* () {
        scheduler.initBarriers(2 * WARP_SIZE);
        yield* syncCluster();
        const schedIter = scheduler.schedulerIterator();
        yield* schedIter.each(() => schedIter.signalAndAdvance());
        yield* schedIter.drain();
      }),
      role('load', lanes, function* () {
        yield* syncCluster();
        yield* load(scheduler);
      }),
      role('warp', lanes, function* () {
        yield* syncCluster();
        yield* warp(scheduler);
      }),
    ];
  });
}

function* signalsEachTile(scheduler: TileScheduler): Part {
  yield* scheduler.workIterator().each(() => scheduler.throttleSignal(true));
}

function* fetchesAll(scheduler: TileScheduler): Part {
  yield* scheduler.workIterator().each(function* (current) {
    assert.ok(current.isValid() && current.isValidTile);
    assert.deepEqual(current.coord(), [0, 0]);
  });
}

suite('the iterator of a warp', () => {
  test('fetches at the beginning of the next round: the body of the first tile comes first', () => {
    const two = scheduled(fetchesAll, { tiles: 2 });
    assert.deepEqual(stepsOf(two, 'warp'), [...FETCH, ...FETCH]);
    assert.deepEqual(stepsOf(two, 'load'), [...THROTTLE, ...FETCH, ...THROTTLE, ...FETCH]);
  });

  test('is certified for any number of tiles, and for none but the first', async () => {
    for (const stages of [1, 2, 3]) {
      for (const tiles of [1, 2, 5]) {
        assert.deepEqual(await rulesOf(scheduled(fetchesAll, { tiles, stages })), []);
      }
    }
    const once = scheduled(fetchesAll, { stages: 0 });
    assert.deepEqual(await rulesOf(once), []);
    assert.deepEqual(stepsOf(once, 'load'), []);
    assert.deepEqual(stepsOf(once, 'scheduler'), []);
  });

  test('a load warp that fetches before its body hangs with the throttle', async () => {
    const eager: Warp = function* (scheduler) {
      const rounds = scheduler.items;
      yield* loop(null, function* () {
        if (!(yield* rounds.more())) return end(null);
        yield* scheduler.fetchNextWork();
        yield* scheduler.throttleSignal(true);
        return null;
      });
    };
    const rules = await rulesOf(scheduled(fetchesAll, { load: eager }));
    assert.ok(rules.includes('deadlock'), rules.join());
  });

  test('only the first CTA of a cluster signals the throttle', () => {
    const other = scheduled(fetchesAll, {
      *load(scheduler) {
        yield* scheduler.workIterator().each(() => scheduler.throttleSignal(true));
        yield* scheduler.throttleSignal(false);
      },
      tiles: 1,
    });
    assert.deepEqual(stepsOf(other, 'load'), [...THROTTLE, ...FETCH]);
  });
});

test('signalAndAdvance: the throttle, a free place, 16 bytes expected, the response', () => {
  const steps = stepsOf(scheduled(fetchesAll, { tiles: 1, stages: 1 }), 'scheduler');
  assert.deepEqual(steps, [
    'waitStage clc_throttle as consumer',
    'arrive clc_throttle.empty 32',
    'step clc_throttle as consumer',
    'waitStage clc as producer',
    'arrive clc.full 1, 16 B',
    'asyncCopy clc.full 16 B',
    'step clc as producer',
    ...FETCH, // of the copy that the loop goes through
    'waitStage clc as producer', // drain
    'step clc as producer',
  ]);
});

test('a number of tiles is counted with, and no scheduler gives it back', async () => {
  const tiles = 12_345;
  const work = { clusterSize: 1, tiles, stages: 2 };
  const grouped = { tiles, tilesPerGroup: 2 };
  const schedulers: Record<string, () => object> = {
    TileScheduler: () => new TileScheduler(work),
    TileSchedulerSplitK: () => new TileSchedulerSplitK({ ...work, splits: 2, kTiles: 4 }),
    GroupedTileScheduler: () => new GroupedTileScheduler(grouped),
    GroupedClcScheduler: () => new GroupedClcScheduler({ ...grouped, stages: 2, ctaGroup: 1 }),
  };
  for (const [name, make] of Object.entries(schedulers)) {
    const built = kernel('built', {}, () => {
      // The text of a kernel proves that its number of tiles is a count alone by this.
      assert.ok(!valuesIn(make()).includes(tiles), name);
      return [role('only', function* () {})];
    });
    assert.equal((await check(built)).verdict, 'certified');
  }
});

/** What an object and the objects in it have. */
function valuesIn(object: object): unknown[] {
  return Object.values(object).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? valuesIn(value) : [value],
  );
}

suite('the iterator that kernels had before', () => {
  test('hasWork and next: fetched as the block ends', async () => {
    const earlier: Warp = function* (scheduler) {
      const workIter = scheduler.earlierIterator();
      yield* loop(null, function* () {
        if (!(yield* workIter.hasWork())) return end(null);
        using current = yield* workIter.next();
        yield* workIter.throttleSignal(true);
        assert.deepEqual(current.coord(), [0, 0]);
        return null;
      });
    };
    const program = scheduled(fetchesAll, { load: earlier, tiles: 3 });
    assert.deepEqual(stepsOf(program, 'load').slice(0, 8), ['stage', ...THROTTLE, ...FETCH]);
    assert.deepEqual(await rulesOf(program), []);
    const searched = await check(program, { engine: 'search', accept: ['loop-state'] });
    assert.equal(searched.verdict, 'certified');
  });

  test('nextPrefetch: fetched before the block, which the MMA warp may and the load warp must not', async () => {
    const prefetching: Warp = function* (scheduler) {
      const workIter = scheduler.earlierIterator();
      yield* loop(null, function* () {
        if (!(yield* workIter.hasWork())) return end(null);
        using _current = yield* workIter.nextPrefetch();
        return null;
      });
    };
    const program = scheduled(prefetching, { tiles: 3 });
    assert.deepEqual(stepsOf(program, 'warp').slice(0, 4), FETCH);
    assert.deepEqual(await rulesOf(program), []);
    assert.deepEqual(await rulesOf(scheduled(prefetching, { stages: 0, tiles: 1 })), []);
  });
});

suite('waiting for the next tile while this one is worked on', () => {
  const ways: Record<string, Warp> = {
    *WaitAndAdvanceContext(scheduler) {
      const first = yield* scheduler.initialWorkInfo();
      yield* loop<boolean, null>(first.isValid(), function* (isValid) {
        const work = new WorkInfo(isValid);
        if (!work.isValid()) return end(null);
        using context = yield* WaitAndAdvanceContext.enter(scheduler, work);
        assert.equal(context.workInfo, work);
        return context.next.isValid();
      });
    },
    *WaitAndAdvanceHandle(scheduler) {
      const first = yield* scheduler.initialWorkInfo();
      yield* loop<boolean, null>(first.isValid(), function* (isValid) {
        const work = new WorkInfo(isValid);
        if (!work.isValid()) return end(null);
        const handle = yield* WaitAndAdvanceHandle.create(scheduler, work);
        assert.equal(handle.workInfo, work);
        return handle.release().isValid();
      });
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    test(name, async () => {
      const program = scheduled(way, { tiles: 3 });
      assert.deepEqual(stepsOf(program, 'warp'), [...FETCH, ...FETCH, ...FETCH]);
      assert.deepEqual(await rulesOf(program), []);
    });
  }
});

test('T13: a warp that fetches once less blocks all warps', async () => {
  const lazy: Warp = function* (scheduler) {
    yield* scheduler.fetchNextWork();
  };
  assert.ok((await rulesOf(scheduled(lazy, { tiles: 4 }))).length > 0);
});

test('split-K: the k steps of each work item, and who writes', async () => {
  const seen: (readonly [number, number, boolean])[] = [];
  const split = kernel('split', {}, () => {
    const options = { stages: 0, clusterSize: 1, tiles: 1, splits: 3, kTiles: 8 };
    const splitK = new TileSchedulerSplitK(options);
    for (const item of [0, 1, 2].map((at) => splitK.workInfo(at, true))) {
      seen.push([item.kStart, item.numKTiles, item.isLastSplit]);
    }
    return [
      role('warp', { lanes: WARP_SIZE }, function* () {
        yield* splitK.workIterator().each(function* (current) {
          assert.equal(current.kStart, 0);
        });
      }),
    ];
  });
  assert.equal((await check(split)).verdict, 'certified');
  assert.deepEqual(seen.slice(0, 3), [
    [0, 3, false],
    [3, 3, false],
    [6, 2, true],
  ]);
});

suite('grouped', () => {
  test('tiles by number: no warp waits, and a group changes with its first tile', async () => {
    const changes: boolean[] = [];
    const grouped = kernel('grouped', {}, () => {
      const scheduler = new GroupedTileScheduler({ tiles: 5, tilesPerGroup: 2 });
      return [
        role('warp', function* () {
          yield* scheduler.workIterator().each(function* (current) {
            changes.push(current.groupChanged);
          });
        }),
      ];
    });
    assert.deepEqual(stepsOf(grouped, 'warp'), []);
    // Equal rounds are one round: the third tile is the first one again.
    assert.deepEqual(changes.slice(0, 2), [true, false]);
  });

  test('in software: the MMA warps fetch before their work, the others compute', async () => {
    const grouped = kernel('grouped', {}, () => {
      const options = { tiles: 3, tilesPerGroup: 1, stages: 2, ctaGroup: 1 };
      const scheduler = new GroupedClcScheduler(options);
      const lanes = { lanes: WARP_SIZE };
      const spare = count(1);
      return [
        role('scheduler', lanes, function* () {
          scheduler.initBarriers();
          yield* syncCluster();
          const schedIter = scheduler.schedulerIterator();
          const signals = yield* schedIter.each((announced) => {
            return schedIter.signalAndAdvance(announced);
          });
          assert.equal(signals, 2);
          yield* schedIter.drain(signals);
        }),
        role('mma', lanes, function* () {
          yield* syncCluster();
          yield* scheduler.mmaIterator().each(function* () {
            // the work comes after the fetch
          });
        }),
        role('load', lanes, function* () {
          yield* syncCluster();
          yield* spare.more();
          yield* scheduler.workIterator().each(function* () {
            // nothing is waited for
          });
        }),
      ];
    });
    const fetch = [FETCH[0]!, FETCH[2]!, FETCH[3]!];
    assert.deepEqual(stepsOf(grouped, 'mma'), [...fetch, ...fetch, ...fetch]);
    assert.deepEqual(stepsOf(grouped, 'load'), []);
    assert.deepEqual(stepsOf(grouped, 'scheduler').slice(0, 4), [
      'stage', // the first announcements find their stage empty, and do not ask
      'write clc_response',
      'arrive clc.full 1',
      'step clc as producer',
    ]);
    assert.deepEqual(await rulesOf(grouped), []);
  });
});
