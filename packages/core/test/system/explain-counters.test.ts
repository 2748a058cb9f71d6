// Counters of a ring that do not say what their role believes, explained (R03, R08-R10, P12).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  barrier,
  kernel,
  loop,
  pipeline,
  role,
  wait,
  type Kernel,
  type ProducerStage,
} from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

test('R09: a role that works through two copies of a ring on one side', () => {
  const target = kernel('fork', {}, () => {
    const ab = pipeline('ab', { stages: 2 });
    const copy = ab.copy('copied');
    return [
      role('load', function* () {
        using one = yield* ab.produce();
        one.arrive();
        using two = yield* copy.produce();
        two.arrive();
      }),
    ];
  });
  // With 'release' the first scope has not stepped yet: only where it has, the copy is behind.
  assert.ok(!rulesOf(target).includes('forked-pipeline'));
  const stepped = kernel('fork', {}, () => {
    const ab = pipeline('ab', { stages: 2, advance: 'acquire' });
    const copy = ab.copy('copied');
    return [
      role('load', function* () {
        const one = yield* ab.acquireProducer();
        one.arrive();
        one.release();
        const two = yield* copy.acquireProducer();
        two.arrive();
        two.release();
      }),
    ];
  });
  const found = findingOf(stepped, 'forked-pipeline');
  assert.match(found.message, /load produces through copied and through ab.* 1 stage behind/);
  assert.deepEqual(placesOf(found), [
    'load: const two = yield* copy.acquireProducer();',
    'load: const one = yield* ab.acquireProducer();',
  ]);
});

/** Waits only for the first stage, as a try says; then goes on as if all were ready. */
function believing(tries: boolean): Kernel {
  return kernel('token', {}, () => {
    const ab = pipeline('ab', { stages: 2 });
    return [
      role('load', function* () {
        for (let tile = 0; tile < 2; tile++) yield* ab.producerSignalAndStep();
      }),
      role('use', function* () {
        const isReady = tries ? yield* ab.tryWaitProducer() : true;
        for (let tile = 0; tile < 2; tile++) {
          const stage = yield* ab.waitProducerIfNeeded(isReady);
          arrive(ab.consumerMbar(stage));
          ab.consumerStep();
        }
      }),
    ];
  });
}

test('R08: a token of one stage that is taken for another one', () => {
  const found = findingOf(believing(true), 'stale-try-token');
  assert.match(found.message, /use .*ab\.full\[1\], whose phase 0/);
  assert.deepEqual(placesOf(found), [
    'use: const stage = yield* ab.waitProducerIfNeeded(isReady);',
    'use: const isReady = tries ? yield* ab.tryWaitProducer() : true;',
  ]);
  assert.match(found.labels[0]!.text, /use .*ab\.full\[0\]/);
});

test('R08: a token that no try has made', () => {
  const found = findingOf(believing(false), 'stale-try-token');
  assert.match(found.message, /ab\.full\[0\]/);
  assert.deepEqual(found.labels, []);
  assert.equal(found.notes.length, 2);
});

test('R10: a release of another stage than the counter stands at, in rounds of a loop', () => {
  const target = kernel('misstep', {}, () => {
    const ab = pipeline('ab', { stages: 3 });
    return [
      role('load', function* () {
        const first = yield* ab.acquireProducer();
        ab.producerStep();
        yield* loop<{ held: ProducerStage }>({ held: first }, function* ({ held }) {
          held.arrive();
          held.release();
          return { held: yield* ab.acquireProducer() };
        });
      }),
    ];
  });
  const found = findingOf(target, 'release-order');
  assert.match(found.message, /load releases stage 0 of ab .*stage 1/);
  assert.deepEqual(placesOf(found), [
    'load: held.release();',
    'load: const first = yield* ab.acquireProducer();',
  ]);
});

test('P12: a producer that moves past a stage without a signal', () => {
  const target = kernel('silent', {}, () => {
    const ab = pipeline('ab', { stages: 2, consumers: 1 });
    return [
      role('load', function* () {
        const slot = yield* ab.acquireProducer();
        slot.release();
      }),
      role('use', function* () {
        using tile = yield* ab.consume();
        void tile;
      }),
    ];
  });
  const found = findingOf(target, 'stepped-without-signal');
  assert.match(found.message, /load .*past stage 0 of ab .*ab\.full\[0\].* use waits/);
  assert.deepEqual(placesOf(found), [
    'load: const slot = yield* ab.acquireProducer();',
    'load: slot.release();',
    'use: using tile = yield* ab.consume();',
  ]);
  assert.match(found.helps.join(), /tma\.load/);
  const deadlock = findingOf(target, 'deadlock');
  assert.match(textOf(deadlock), /load .*stage 0 here.* does not arrive on ab\.full\[0\]/);
});

test('P12: a consumer whose scope ends without a signal', () => {
  const target = kernel('silent', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('load', function* () {
        for (let tile = 0; tile < 2; tile++) yield* ab.producerSignalAndStep();
      }),
      role('use', function* () {
        for (let tile = 0; tile < 2; tile++) {
          using full = yield* ab.consumeExplicit();
          void full;
        }
      }),
    ];
  });
  const found = findingOf(target, 'stepped-without-signal');
  assert.match(found.message, /use .*past stage 0 of ab .*ab\.empty\[0\]/);
  assert.match(found.helps.join(), /release\(\)/);
});

test('P12: no such cause where the signal may still come, or the step is that of a drain', () => {
  const held = kernel('held', {}, () => {
    const [ab, go] = [pipeline('ab', { stages: 1, advance: 'acquire' }), barrier('go')];
    return [
      role('load', function* () {
        const slot = yield* ab.acquireProducer();
        yield* wait(go, 0);
        slot.arrive();
        slot.release();
      }),
      role('use', function* () {
        yield* ab.waitProducer();
      }),
    ];
  });
  assert.deepEqual(rulesOf(held), ['deadlock']);
  const drained = kernel('drained', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('load', function* () {
        yield* ab.drain();
      }),
      role('use', function* () {
        yield* ab.waitProducer();
      }),
    ];
  });
  assert.deepEqual(rulesOf(drained), ['deadlock']);
});
