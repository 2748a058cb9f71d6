// Misused handles explained: which stage, and the other call that matters (O02-O08, R10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  adopt,
  arrive,
  barrier,
  kernel,
  loop,
  pipeline,
  role,
  wait,
  type ConsumerStage,
  type Kernel,
  type Op,
  type PipelineOptions,
  type ProducerConsumerPipeline,
} from '#src/public';
import { findingOf, placesOf, textOf } from './explore.ts';

type Ring = ProducerConsumerPipeline;
type Use = (ab: Ring, other: Ring) => Generator<Op, void, number>;

/** A role that fills stages of a ring, and one that uses them; both have 32 threads. */
function using(use: Use, options: Partial<PipelineOptions> = {}): Kernel {
  return kernel('misuse', {}, () => {
    const ab = pipeline('ab', { stages: 2, consumers: 32, ...options });
    const other = pipeline('other', { stages: 2, consumers: 32 });
    return [
      role('fill', function* () {
        for (const ring of [ab, other]) {
          for (let tile = 0; tile < 2; tile++) {
            const stage = yield* ring.waitConsumer();
            arrive(ring.producerMbar(stage));
            ring.producerStep();
          }
        }
      }),
      role('use', { lanes: 32 }, function* () {
        yield* use(ab, other);
      }),
    ];
  });
}

test('O04: a stage that its role ends with', () => {
  const target = using(function* (ab) {
    yield* ab.acquireConsumer();
  });
  const found = findingOf(target, 'leaked-stage');
  assert.match(found.message, /use acquires stage 0 of ab/);
  assert.deepEqual(placesOf(found), ['use: yield* ab.acquireConsumer();']);
  assert.match(found.notes.join(), /use ends/);
  assert.match(found.helps.join(), /release/);
});

test('O04: a scope that is never left, of which two are open at the end', () => {
  const target = using(function* (ab, other) {
    yield* ab.consume();
    yield* other.consume();
  });
  const found = findingOf(target, 'leaked-stage');
  assert.match(found.notes.join(), /use ends/, 'the second leak is no other end');
  assert.match(found.helps.join(), /using slot/);
});

test('O04: a stage that a round of a loop does not return', () => {
  const target = using(function* (ab) {
    yield* loop(0, function* (round) {
      yield* ab.acquireConsumer();
      return round + 1;
    });
  });
  const found = findingOf(target, 'leaked-stage');
  assert.match(found.notes.join(), /round of the loop/);
});

test('O03: a stage that is acquired again while it is held', () => {
  const target = using(function* (ab) {
    const first = yield* ab.acquireConsumer();
    yield* ab.acquireConsumer();
    first.release();
  });
  const found = findingOf(target, 'double-acquire');
  assert.match(found.message, /use acquires stage 0 of ab again/);
  assert.deepEqual(placesOf(found), [
    'use: yield* ab.acquireConsumer();',
    'use: const first = yield* ab.acquireConsumer();',
  ]);
  assert.match(found.helps.join(), /advance: 'acquire'/);
});

test('O03: the same where the ring came round, which no advance helps with', () => {
  const target = using(
    function* (ab) {
      yield* ab.acquireConsumer();
      arrive(ab.consumerMbar(0), { everyLane: true });
      yield* ab.acquireConsumer();
    },
    { stages: 1, advance: 'acquire' },
  );
  const found = findingOf(target, 'double-acquire');
  assert.deepEqual(found.helps, []);
  assert.equal(found.notes.length, 1);
});

test('O03: a handle that is released twice, or used after it was released', () => {
  const twice = using(function* (ab) {
    const tile = yield* ab.acquireConsumer();
    tile.release();
    tile.releaseWithoutSignal();
  });
  const found = findingOf(twice, 'double-release');
  assert.match(found.message, /use releases stage 0 of ab/);
  assert.deepEqual(placesOf(found), ['use: tile.releaseWithoutSignal();', 'use: tile.release();']);
  const late = using(function* (ab) {
    const tile = yield* ab.acquireConsumer();
    tile.release();
    tile.mbar();
  });
  const used = findingOf(late, 'use-after-release');
  assert.match(used.message, /use uses stage 0 of ab/);
  assert.deepEqual(placesOf(used), ['use: tile.mbar();', 'use: tile.release();']);
});

test('O07: a handle that was moved is dead, to releases and to uses', () => {
  const release = using(function* (ab) {
    const tile = yield* ab.acquireConsumer();
    {
      using scope = adopt(tile);
      void scope;
    }
    tile.release();
  });
  const found = findingOf(release, 'double-release');
  assert.match(found.message, /handle that it has moved/);
  assert.deepEqual(placesOf(found), ['use: tile.release();', 'use: using scope = adopt(tile);']);
  const use = using(function* (ab) {
    const tile = yield* ab.acquireConsumer();
    using scope = adopt(tile);
    void scope;
    void tile.buffers;
  });
  const used = findingOf(use, 'use-after-release');
  assert.match(used.message, /handle that it has moved/);
  assert.match(used.helps.join(), /handle that it was moved to/);
});

test('O03: a handle that another role acquired', () => {
  let shared: ConsumerStage | undefined;
  const target = kernel('foreign', {}, () => {
    const [ab, owned] = [pipeline('ab', { stages: 1 }), barrier('owned')];
    return [
      role('fill', function* () {
        const slot = yield* ab.acquireProducer();
        slot.arrive();
        slot.release();
      }),
      role('owner', function* () {
        shared = yield* ab.acquireConsumer();
        arrive(owned);
        shared.release();
      }),
      role('thief', function* () {
        yield* wait(owned, 0);
        shared?.mbar();
      }),
    ];
  });
  const found = findingOf(target, 'use-after-release');
  assert.match(found.message, /thief uses stage 0 of ab .*another role/);
  assert.deepEqual(placesOf(found), [
    'thief: shared?.mbar();',
    'owner: shared = yield* ab.acquireConsumer();',
  ]);
  assert.match(found.helps.join(), /thief/);
});

test('O06: what a scope hands out is used after the scope has ended, or was moved from', () => {
  const after = using(function* (ab) {
    let escaped;
    {
      using tile = yield* ab.consume();
      escaped = tile.stage();
    }
    escaped.mbar();
  });
  const found = findingOf(after, 'child-outlives-parent');
  assert.match(found.message, /use uses stage 0 of ab/);
  assert.equal(placesOf(found)[0], 'use: escaped.mbar();');
  assert.match(found.helps.join(), /detach\(\)/);
  const moved = using(function* (ab) {
    using tile = yield* ab.consume();
    const view = tile.stage();
    const own = tile.detach();
    view.mbar();
    own.release();
  });
  const again = findingOf(moved, 'child-outlives-parent');
  assert.deepEqual(placesOf(again), ['use: view.mbar();', 'use: const own = tile.detach();']);
  assert.match(textOf(again), /moved out of its scope/);
});

test('O08: scopes end in the reverse order of their acquires', () => {
  const target = using(function* (ab, other) {
    const outer = yield* ab.consume();
    const inner = yield* other.consume();
    outer[Symbol.dispose]();
    inner[Symbol.dispose]();
  });
  const found = findingOf(target, 'release-order');
  assert.match(found.message, /use ends the scope of stage 0 of ab .*stage 0 of other/);
  assert.deepEqual(placesOf(found), [
    'use: const outer = yield* ab.consume();',
    'use: const inner = yield* other.consume();',
  ]);
});

test('R10: a release after other steps of the role steps past another stage', () => {
  const target = using(function* (ab) {
    const tile = yield* ab.acquireConsumer();
    ab.consumerStep();
    tile.release();
  });
  const found = findingOf(target, 'release-order');
  assert.match(found.message, /use releases stage 0 of ab/);
  assert.match(found.helps.join(), /advance: 'acquire'/);
  assert.ok(placesOf(found).includes('use: const tile = yield* ab.acquireConsumer();'));
});

test('R10: a step that only some threads of a role make', () => {
  const target = using(function* (ab) {
    yield* ab.waitProducer();
    ab.consumerStep({ lanes: 1 });
  });
  const found = findingOf(target, 'divergent-step');
  assert.match(found.message, /32 threads of use .* ab/);
  assert.deepEqual(placesOf(found), ['use: ab.consumerStep({ lanes: 1 });']);
});
