// P06, P09: what a round changes outside of its loop's state is noticed, on any of its paths.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { arrive, barrier, cell, choose, count, end, fetchAdd, init, kernel } from '#src/public';
import { loop, pipeline, role, tryWait, wait, type Barrier, type Kernel } from '#src/public';
import { fill } from './counted-rounds.ts';
import { COUNTERS, type Counter } from './captured-kinds.ts';

async function rulesOf(program: Kernel, params = {}): Promise<string[]> {
  const { verdict, findings } = await check(program, { params });
  if (verdict === 'certified') return [];
  assert.equal(verdict, 'counterexample');
  return findings.map(({ rule }) => rule);
}

/** A loop that hangs when `isOver` says so of the options that were chosen in all rounds. */
function choosing(tiles: number, options: number, isOver: () => (option: number) => boolean) {
  return kernel('choosing', {}, () => {
    const never = barrier('never');
    const items = count(tiles);
    return [
      role('c', function* () {
        const hasEnough = isOver();
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          if (hasEnough(yield* choose(options))) yield* wait(never, 0);
          return null;
        });
      }),
    ];
  });
}

for (const [kind, make] of Object.entries(COUNTERS)) {
  test(`a captured ${kind} that counts one result of a choice`, async () => {
    const program = choosing(2, 2, () => {
      const counter: Counter = make();
      return (option) => option === 1 && counter() === 2;
    });
    assert.deepEqual(await rulesOf(program), ['loop-captures']);
  });
}

test('a captured count of failed tries', async () => {
  const program = (tiles: number, at: number) =>
    kernel('tries', {}, () => {
      const [ready, never] = [barrier('ready'), barrier('never')];
      const items = count(tiles);
      return [
        role('p', function* () {
          arrive(ready);
        }),
        role('c', function* () {
          let failed = 0;
          yield* loop(null, function* () {
            if (!(yield* items.more())) return end(null);
            if (!(yield* tryWait(ready, 0))) failed++;
            if (failed === at) yield* wait(never, 0);
            return null;
          });
          yield* wait(ready, 0);
        }),
      ];
    });
  assert.deepEqual(await rulesOf(program(3, 2)), ['loop-captures']);
  assert.deepEqual(await rulesOf(program(60, 50)), ['loop-captures']);
});

test('the same count in the state of the loop is a true counterexample', async () => {
  const program = kernel('counted', {}, () => {
    const [ready, never] = [barrier('ready'), barrier('never')];
    const items = count(3);
    return [
      role('p', function* () {
        arrive(ready);
      }),
      role('c', function* () {
        yield* loop(0, function* (failed: number) {
          if (!(yield* items.more())) return end(null);
          const now = (yield* tryWait(ready, 0)) ? failed : failed + 1;
          if (now === 2) yield* wait(never, 0);
          return now;
        });
        yield* wait(ready, 0);
      }),
    ];
  });
  assert.deepEqual(await rulesOf(program), ['deadlock']);
});

test('a captured count of tickets that one of two workers took', async () => {
  const program = kernel('tickets', {}, () => {
    const never = barrier('never');
    const next = cell('next');
    return [0, 1].map((worker) =>
      role(`worker${worker}`, function* () {
        let had = 0;
        yield* loop(null, function* () {
          if ((yield* fetchAdd(next, 1)) >= 3) return end(null);
          if (++had === 3) yield* wait(never, 0);
          return null;
        });
      }),
    );
  });
  assert.deepEqual(await rulesOf(program), ['loop-captures']);
});

test('a captured toggle, a captured history and a captured pattern', async () => {
  const toggling = choosing(4, 2, () => {
    let isOdd = false;
    return (option) => option === 1 && (isOdd = !isOdd) === false;
  });
  assert.deepEqual(await rulesOf(toggling), ['loop-captures']);
  const pattern = choosing(5, 2, () => {
    let seen = '';
    return (option) => (seen += option) === '10110';
  });
  assert.deepEqual(await rulesOf(pattern), ['loop-captures']);
  const both = choosing(6, 3, () => {
    const counts = [0, 0, 0];
    return (option) => ++counts[option]! > 0 && counts.join() === '2,2,2';
  });
  assert.deepEqual(await rulesOf(both), ['loop-captures']);
});

/** A count in an inner loop, by a helper that is called with `yield*`. */
test('a captured count in a nested loop and in a helper', async () => {
  const program = kernel('nested', {}, () => {
    const never = barrier('never');
    const [outer, inner] = [count(2), count(4)];
    const hung = { times: 0 };
    function* mayHang(blocked: Barrier) {
      if ((yield* choose(2)) === 1 && ++hung.times === 3) yield* wait(blocked, 0);
    }
    return [
      role('c', function* () {
        yield* loop(null, function* () {
          if (!(yield* outer.more())) return end(null);
          yield* loop(null, function* () {
            if (!(yield* inner.more())) return end(null);
            yield* mayHang(never);
            return null;
          });
          return null;
        });
      }),
    ];
  });
  assert.deepEqual(await rulesOf(program), ['loop-captures']);
});

test('a captured count of the outer loop that matters in the inner one', async () => {
  const program = kernel('outer', {}, () => {
    const never = barrier('never');
    const outer = count(3);
    return [
      role('c', function* () {
        let laps = 0;
        yield* loop(null, function* () {
          if (!(yield* outer.more())) return end(null);
          laps++;
          yield* loop(0, function* (at: number) {
            if (at === 3) return end(null);
            if ((yield* choose(2)) === 1 && laps === 3) yield* wait(never, 0);
            return at + 1;
          });
          return null;
        });
      }),
    ];
  });
  assert.deepEqual(await rulesOf(program), ['loop-captures']);
});

test('a round that is right only because it captures is no counterexample', async () => {
  const lazy = (done: () => { get: () => boolean; set: () => void }) =>
    kernel('lazy', {}, () => {
      const late = barrier('late', { count: 0 });
      const items = count(2);
      return [
        role('c', function* () {
          const isDone = done();
          yield* loop(null, function* () {
            if (!(yield* items.more())) return end(null);
            if ((yield* choose(2)) === 1 && !isDone.get()) {
              isDone.set();
              init(late, 1);
            }
            return null;
          });
        }),
      ];
    });
  const object = lazy(() => {
    const state = { done: false };
    return { get: () => state.done, set: () => void (state.done = true) };
  });
  const set = lazy(() => {
    const seen = new Set<string>();
    return { get: () => seen.has('late'), set: () => void seen.add('late') };
  });
  assert.deepEqual(await rulesOf(object), ['loop-captures']);
  assert.deepEqual(await rulesOf(set), ['loop-captures']);
  const { findings } = await check(object, { engine: 'search' });
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['loop-captures'],
  );
});

/** A ring whose consumer does something else in some round; with `held` it returns the stage late. */
function long(tiles: number, isOdd: (round: number) => boolean) {
  return kernel('long', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 64 });
    const items = count(tiles);
    return [
      role('load', function* () {
        yield* fill(ab, items);
      }),
      role('mma', function* () {
        let round = 0;
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          const tile = yield* ab.acquireConsumer();
          if (isOdd(++round)) (yield* ab.acquireConsumer()).release();
          tile.release();
          return null;
        });
      }),
    ];
  });
}

test('the run of the size that was asked for is rounds to its end', async () => {
  assert.deepEqual(await rulesOf(long(1_000, (round) => round === 500)), ['loop-captures']);
  assert.deepEqual(await rulesOf(long(1_000, (round) => round === 1_000)), ['loop-captures']);
  assert.deepEqual(await rulesOf(long(3_000, (round) => round % 1_024 === 0)), ['loop-captures']);
  assert.deepEqual(await rulesOf(long(1_000, (round) => round > 1_000)), []);
});

test('what a captured variable never changes is no finding', async () => {
  const memo = new Map<number, number>();
  const square = (n: number): number => {
    const known = memo.get(n);
    if (known !== undefined) return known;
    memo.set(n, n * n);
    return n * n;
  };
  const harmless = kernel('harmless', { tiles: 4 }, ({ tiles }) => {
    const bars = Array.from({ length: 4 }, (_, i) => barrier(`bar[${i}]`, { count: 8 }));
    const options = { first: 0, names: ['a', 'b'] } as const;
    const items = count(tiles);
    const next = cell('next');
    const byName = new Map(bars.map((bar, i) => [`bar${i}`, bar]));
    const log: string[] = [];
    return [0, 1].map((worker) =>
      role(`worker${worker}`, function* () {
        let rounds = 0;
        let last = -1;
        const seen = new Set<number>();
        yield* loop(options.first, function* (at: number) {
          if (!(yield* items.more())) return end(at);
          const option = yield* choose(2);
          log.push(`${worker} ${rounds++} ${options.names[option]}`);
          seen.add(square(option));
          const ticket = yield* fetchAdd(next, 1);
          // Tickets grow: the other branch is never taken.
          if (ticket <= last) yield* wait(bars[0]!, 7);
          last = ticket;
          arrive(byName.get(`bar${at}`)!);
          return (at + 1) % bars.length;
        });
      }),
    );
  });
  const { verdict, findings } = await check(harmless);
  assert.deepEqual([verdict, ...findings.map(({ rule }) => rule)], ['certified', 'not-quiescent']);
});
