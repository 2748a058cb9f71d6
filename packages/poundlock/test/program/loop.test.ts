// Rules P06 and O04–O05: rounds merge by their state, and handles travel only in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import {
  choose,
  count,
  end,
  kernel,
  loop,
  pipeline,
  role,
  tma,
  type ConsumerStage,
} from 'poundlock';
import { rulesOf } from '../kernels.ts';

test('P06: an endless ring closes: its states do not depend on how long it runs', async () => {
  const endless = kernel('endless', { stages: 2 }, ({ stages }) => {
    const ring = pipeline('ring', { stages, bytes: 16 });
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          using slot = yield* ring.produce();
          tma.load(slot);
          return (yield* choose(2)) === 0 ? null : end(null);
        });
        yield* ring.drain();
      }),
      role('use', function* () {
        yield* loop(null, function* () {
          using _tile = yield* ring.consume();
          return null;
        });
      }),
    ];
  });
  const { findings, stats } = await check(endless, { maxStates: 5_000 });
  // The consumer never ends: every state can go on, none can end.
  assert.equal(findings[0]?.rule, 'deadlock');
  assert.ok(stats.states < 1_000, `${stats.states} states`);
});

test('P06: a finished loop contributes its result and nothing else', async () => {
  const summing = kernel('summing', { items: 5 }, ({ items: total }) => {
    const items = count(total);
    return [
      role('sum', function* () {
        const sum = yield* loop(0, function* (before) {
          if (!(yield* items.more())) return end(before);
          return before + (yield* choose(2));
        });
        if (sum > total) throw new Error(`${sum} is more than ${total}`);
      }),
    ];
  });
  // The kernel is no module of its own, so that no text proves it of its loop.
  const { verdict, stats } = await check(summing, { accept: ['loop-state'] });
  assert.equal(verdict, 'certified');
  // 2⁵ histories, but only as many rounds as there are (item, sum) pairs, and 6 results.
  assert.ok(stats.states <= 5 * 6 + 6, `${stats.states} states`);
});

const handOverHand = (release: (tile: ConsumerStage | null) => void) =>
  kernel('hand-over-hand', {}, () => {
    const ring = pipeline('ring', { stages: 3, bytes: 16, advance: 'acquire' });
    const items = count(3);
    return [
      role('load', function* () {
        for (let tile = 0; tile < 3; tile++) {
          using slot = yield* ring.produce();
          tma.load(slot);
        }
        yield* ring.drain();
      }),
      role('use', function* () {
        const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
          if (!(yield* items.more())) return end(previous);
          const tile = yield* ring.acquireConsumer();
          previous?.release();
          return tile;
        });
        release(last);
      }),
    ];
  });

test('O05: a handle travels through the state of a loop', async () => {
  assert.deepEqual(await rulesOf(handOverHand((tile) => tile?.release())), []);
});

test('O04: a handle that the last round returns must still be released', async () => {
  assert.deepEqual(await rulesOf(handOverHand(() => {})), ['leaked-stage']);
});

test('O04: a round that does not return its handle leaks it', async () => {
  const leaking = kernel('leaking', {}, () => {
    const ring = pipeline('ring', { stages: 2, bytes: 16, advance: 'acquire' });
    const items = count(2);
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          yield* ring.acquireProducer();
          return null;
        });
      }),
    ];
  });
  assert.deepEqual(await rulesOf(leaking), ['leaked-stage']);
});

test('O03: a handle of an enclosing frame can be released once, in an inner loop', async () => {
  const nested = (times: number) =>
    kernel('nested', {}, () => {
      const ring = pipeline('ring', { stages: 1, bytes: 16 });
      const items = count(times);
      return [
        role('load', function* () {
          const slot = yield* ring.acquireProducer();
          yield* loop(null, function* () {
            if (!(yield* items.more())) return end(null);
            slot.release();
            return null;
          });
        }),
      ];
    });
  assert.deepEqual(await rulesOf(nested(1)), []);
  assert.deepEqual(await rulesOf(nested(2)), ['double-release']);
  assert.deepEqual(await rulesOf(nested(0)), ['leaked-stage']);
});

test('a round that returns nothing, and a state that can not be compared, are refused', async () => {
  const checkBody = (body: unknown) =>
    check(
      kernel('bad', {}, () => [
        role('r', function* () {
          yield* loop(null as never, body as never);
        }),
      ]),
    );
  await assert.rejects(
    checkBody(function* () {}),
    /returned nothing: return the next state/,
  );
  await assert.rejects(
    checkBody(function* () {
      yield* choose(1);
      return () => 1;
    }),
    /the state is a function/,
  );
  await assert.rejects(
    checkBody(function* () {
      return null;
    }),
    /without an operation/,
  );
});
