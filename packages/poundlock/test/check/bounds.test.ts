// A bound that is hit is inconclusive and says which; only a search that saw all certifies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import {
  arrive,
  asyncCopy,
  barrier,
  choose,
  end,
  expectTx,
  kernel,
  loop,
  pipeline,
  role,
  tma,
  tryWait,
  UNITS,
} from 'poundlock';
import { handOver, rulesOf } from '../kernels.ts';

const wide = kernel('wide', { stages: 6, tiles: 12 }, ({ stages, tiles }) => {
  const ring = pipeline('ring', { stages, bytes: { a: 8, b: 8 } });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ring.produce();
        tma.load(slot);
      }
      yield* ring.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using _tile = yield* ring.consume();
      }
    }),
  ];
});

test('max-states ends in inconclusive', async () => {
  const { verdict, reason, stats } = await check(wide, { engine: 'search', maxStates: 100 });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /bound max-states of 100 was reached/);
  assert.ok(stats.states >= 100);
});

/** Every failed try expects more bytes, which never come: no state comes twice. */
const withoutEnd = kernel('without-end', {}, () => {
  const [done, copied] = [barrier('done'), barrier('copied', { count: 2 })];
  return [
    role('poll', function* () {
      yield* loop(null, function* () {
        if (yield* tryWait(done, 0)) return end(null);
        expectTx(copied, 16);
        return null;
      });
    }),
    role('finish', function* () {
      arrive(done);
    }),
  ];
});

for (const engine of ['certify', 'search', 'reduced', 'auto'] as const) {
  test(`a program with more and more states ends in inconclusive: ${engine}`, async () => {
    const { verdict, reason } = await check(withoutEnd, { engine, maxStates: 300 });
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, /the bound max-states (of|is) 300/);
  });
}

test('a time-out ends in inconclusive', async () => {
  let time = 0;
  const { verdict, reason } = await check(wide, {
    engine: 'search',
    now: () => (time += 100),
    timeoutMs: 50,
  });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /bound timeout of 50 ms/);
});

test('an interruption ends in inconclusive', async () => {
  const { verdict, reason } = await check(wide, { engine: 'search', shouldStop: () => true });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /interrupted/);
});

test('a full memory is a bound with its name, and no crash', async () => {
  const whyFull = (): string => 'the bound memory of 4 MB was reached';
  const { verdict, reason } = await check(wide, { engine: 'search', whyFull });
  assert.equal(verdict, 'inconclusive');
  assert.equal(reason, whyFull());
});

test('progress is reported while the search goes on', async () => {
  const seen: number[] = [];
  await check(wide, { engine: 'search', onProgress: ({ states }) => seen.push(states) });
  assert.ok(seen.length > 0);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
});

test('a counterexample is reported even where the bound cuts its level short', async () => {
  assert.deepEqual(await rulesOf(handOver, { params: { arrivals: 2 }, maxStates: 3 }), [
    'deadlock',
  ]);
});

test('P11: what can go on for ever but never end is a deadlock, and its token replays', async () => {
  const spinning = kernel('spinning', {}, () => [
    role('r', function* () {
      if ((yield* choose(2)) === 0) return;
      yield* loop(0, function* (round) {
        return (yield* choose(2)) === 9 ? end(null) : 1 - round;
      });
    }),
  ]);
  const { findings } = await check(spinning);
  assert.equal(findings[0]?.rule, 'deadlock');
  assert.equal(findings[0].primary.role, 'r');
  const replay = findings[0].replayToken!;
  assert.deepEqual(await rulesOf(spinning, { replay }), ['deadlock']);
  // What can follow a schedule is searched, too, within the bound of states.
  assert.deepEqual(await rulesOf(spinning, { replay, maxStates: 1 }), []);
});

test('a `for` without an end is inconclusive, and no search follows that would keep its steps', async () => {
  const endless = kernel('endless', {}, () => {
    const ring = pipeline('ring', { stages: 2, bytes: 8 });
    return [
      role('load', function* () {
        for (;;) {
          using slot = yield* ring.produce();
          tma.load(slot);
        }
      }),
      role('use', function* () {
        for (;;) {
          using _tile = yield* ring.consume();
        }
      }),
    ];
  });
  const { verdict, reason, stats } = await check(endless, { maxEvents: 10_000 });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /the bound max-events of 10,000 was reached/);
  assert.equal(stats.engine, 'certify');
});

test('P11: endless loops are reported as such, not as a role that waits forever', async () => {
  const endless = kernel('endless', {}, () => {
    const ring = pipeline('ring', { stages: 2, bytes: 8 });
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          using slot = yield* ring.produce();
          tma.load(slot);
          return null;
        });
      }),
      role('use', function* () {
        yield* loop(null, function* () {
          using _tile = yield* ring.consume();
          return null;
        });
      }),
    ];
  });
  const { findings } = await check(endless);
  assert.equal(findings[0]?.rule, 'deadlock');
  const { primary, labels, helps } = findings[0];
  assert.deepEqual(
    [primary, ...labels].map(({ role }) => role),
    ['load', 'use'],
  );
  assert.equal(helps.length, 1);
});

test('ever more open copies are a bound, and no error of ours', async () => {
  // Each turn of a role opens two, and the walk before a search lands them one at a time.
  const flood = kernel('flood', {}, () => {
    const full = barrier('full', { count: 1 });
    return [0, 1].map((cta) => {
      return role(`copies${cta}`, { cta }, function* () {
        yield* loop(null, function* () {
          asyncCopy(UNITS.tma, { into: [], bar: full, bytes: 8, ctas: [0, 1] });
          return (yield* choose(2)) === 9 ? end(null) : null;
        });
      });
    });
  });
  const { verdict, reason } = await check(flood, { maxStates: 500, maxEvents: 20_000 });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /bound/);
});
