// tier: deep
// States that the program keeps: where advance leads, which phase they mean, and loops with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from 'poundlock/check';
import { count, end, kernel, loop, read, role, tma } from 'poundlock';
import type { Kernel } from 'poundlock';
import {
  advance,
  cutlass,
  makeConsumerStartState,
  makeProducerStartState,
} from '@poundlock/dialects/cute';
import type { PipelineState } from '@poundlock/dialects/cute';
import { visibleSteps } from './visible-steps.ts';

/** `++state` as C++ writes it: the index wraps, and the phase flips as it does. */
function next({ stages, index, phase, count }: PipelineState): PipelineState {
  const wraps = index + 1 === stages;
  return {
    stages,
    index: wraps ? 0 : index + 1,
    phase: wraps === (phase === 0) ? 1 : 0,
    count: count === null ? null : count + 1,
  };
}

test('advance(state, n) is n single advances', () => {
  const inputs = [fc.integer({ min: 1, max: 7 }), fc.nat(20), fc.nat(40), fc.boolean()] as const;
  fc.assert(
    fc.property(...inputs, (stages, from, by, counted) => {
      let state = advance(makeProducerStartState({ stages }, { counted }), from);
      const far = advance(state, by);
      for (let i = 0; i < by; i++) state = next(state);
      assert.deepEqual(far, state);
    }),
  );
});

test('a producer starts with the flipped phase', () => {
  assert.deepEqual(makeProducerStartState({ stages: 3 }), {
    stages: 3,
    index: 0,
    phase: 1,
    count: 0,
  });
  assert.deepEqual(makeConsumerStartState({ stages: 3 }, { counted: false }), {
    stages: 3,
    index: 0,
    phase: 0,
    count: null,
  });
});

test('a state leaves nothing but what it was made of: it can be kept and used again', () => {
  const first = makeConsumerStartState({ stages: 2 });
  advance(first, 3);
  assert.deepEqual(first, makeConsumerStartState({ stages: 2 }));
});

/** A ring that carries its states through loops, with or without a count of tiles. */
function ring(counted: boolean, tiles: number | null): Kernel {
  return kernel('ring', {}, () => {
    const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16, numConsumers: 1 });
    const items = tiles === null ? null : count(tiles);
    const goesOn = function* () {
      // Without a number of tiles both sides go on for ever.
      return items === null ? true : yield* items.more();
    };
    return [
      role('load', function* () {
        const last = yield* loop(makeProducerStartState(ab, { counted }), function* (state) {
          if (!(yield* goesOn())) return end(state);
          yield* ab.producerAcquire(state);
          ab.tmaLoad(state);
          return advance(state);
        });
        yield* ab.producerTail(last);
      }),
      role('use', function* () {
        yield* loop(makeConsumerStartState(ab, { counted }), function* (state) {
          if (!(yield* goesOn())) return end(null);
          yield* ab.consumerWait(state);
          for (const one of ab.buffers(state)) read(one);
          ab.consumerRelease(state);
          return advance(state);
        });
      }),
    ];
  });
}

test('a loop with states is certified by both engines, counted or not', async () => {
  for (const counted of [true, false]) {
    for (const engine of ['certify', 'search'] as const) {
      for (const tiles of [0, 1, 7]) {
        const { verdict, findings } = await check(ring(counted, tiles), {
          engine,
          accept: ['loop-state'],
        });
        assert.deepEqual([verdict, findings], ['certified', []], `${counted} ${engine} ${tiles}`);
      }
    }
  }
});

test('without a count an endless loop closes: its states are few', async () => {
  const { findings, stats } = await check(ring(false, null), { engine: 'search' });
  // It never ends, and that is all that is wrong with it.
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['deadlock'],
  );
  assert.ok(stats.states < 200, `${stats.states} states`);
});

test('a bit on one side and a register on the other close, too', async () => {
  const mixed = kernel('mixed', {}, () => {
    const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16, numConsumers: 1 });
    const producer = ab.makeProducer();
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          tma.copy(yield* producer.acquireAndAdvance());
          return null;
        });
      }),
      role('use', function* () {
        yield* loop(makeConsumerStartState(ab, { counted: false }), function* (state) {
          yield* ab.consumerWait(state);
          for (const one of ab.buffers(state)) read(one);
          ab.consumerRelease(state);
          return advance(state);
        });
      }),
    ];
  });
  const { findings, stats } = await check(mixed, { engine: 'search', maxStates: 10_000 });
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['deadlock'], // it never ends
  );
  assert.ok(stats.states < 500, `${stats.states} states`);
});

test('a counted state waits for the phase, one without for its parity', () => {
  const waits = (counted: boolean) =>
    kernel('waits', {}, () => {
      const ab = cutlass.PipelineAsync.create('ab', { stages: 1 });
      return [
        role('load', function* () {
          let state = makeProducerStartState(ab, { counted });
          for (let tile = 0; tile < 3; tile++, state = advance(state)) {
            yield* ab.producerAcquire(state);
            ab.producerCommit(state);
          }
        }),
        role('use', function* () {
          let state = makeConsumerStartState(ab, { counted });
          for (let tile = 0; tile < 3; tile++, state = advance(state)) {
            yield* ab.consumerWait(state);
            ab.consumerRelease(state);
          }
        }),
      ];
    });
  const waitsOf = (counted: boolean) =>
    visibleSteps(waits(counted)).load!.filter((step) => step.startsWith('wait'));
  assert.deepEqual(waitsOf(true), [
    'wait for ab.empty[0] phase -1',
    'wait for ab.empty[0] phase 0',
    'wait for ab.empty[0] phase 1',
  ]);
  assert.deepEqual(waitsOf(false), [
    'wait for ab.empty[0] parity 1',
    'wait for ab.empty[0] parity 0',
    'wait for ab.empty[0] parity 1',
  ]);
});

test('a try skips the wait that it makes needless, and needs a count', async () => {
  const peeks = (counted: boolean) =>
    kernel('peeks', {}, () => {
      const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16, numConsumers: 1 });
      return [
        role('load', function* () {
          let state = makeProducerStartState(ab, { counted });
          for (let tile = 0; tile < 3; tile++, state = advance(state)) {
            const token = yield* ab.producerTryAcquire(state);
            yield* ab.producerAcquire(state, token);
            ab.tmaLoad(state);
          }
        }),
        role('use', function* () {
          let state = makeConsumerStartState(ab, { counted });
          for (let tile = 0; tile < 3; tile++, state = advance(state)) {
            const token = yield* ab.consumerTryWait(state);
            yield* ab.consumerWait(state, token);
            for (const one of ab.buffers(state)) read(one);
            ab.consumerRelease(state);
          }
        }),
      ];
    });
  assert.equal((await check(peeks(true))).verdict, 'certified');
  await assert.rejects(check(peeks(false)), /a try on ab\.empty\[0\] needs a counted state/);
});

test('a state of another pipeline is reported in one line', async () => {
  const good = makeConsumerStartState({ stages: 2 });
  const bad = [
    { ...good, stages: 3 },
    { ...good, index: 2 },
    { ...good, phase: 2 },
    { ...good, count: 1 },
    { ...good, index: 0.5 },
  ] as PipelineState[];
  for (const state of bad) {
    const waits = kernel('waits', {}, () => {
      const ab = cutlass.PipelineAsync.create('ab', { stages: 2 });
      return [
        role('use', function* () {
          yield* ab.consumerWait(state);
        }),
      ];
    });
    await assert.rejects(check(waits), /is not a state of pipeline ab, which has 2 stages/);
  }
  assert.throws(() => advance(good, -1), /the stages that a state is advanced by/);
});
