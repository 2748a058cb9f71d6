// What each misuse of a pipeline really does, row by row of the modelled library's table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  barrier,
  buffer,
  kernel,
  pipeline,
  read,
  role,
  tma,
  waitParity,
  write,
} from 'poundlock';
import { placesOf } from '../../../core/test/system/explore.ts';
import { rulesOf } from '../kernels.ts';
import { findingsOf, loads, ringOf, starvingIn, uses } from './ring.ts';

test('acquireProducer twice without a release: the same stage, twice', async () => {
  const twice = ringOf(function* (ab) {
    const first = yield* ab.acquireProducer();
    tma.load(first);
    const second = yield* ab.acquireProducer();
    tma.load(second);
    first.release();
    second.release();
  }, uses(2));
  const [found] = await findingsOf(twice);
  assert.equal(found?.rule, 'double-acquire');
  assert.deepEqual(placesOf(found), [
    'load: const second = yield* ab.acquireProducer();',
    'load: const first = yield* ab.acquireProducer();',
  ]);
});

test('and what it would do then: the second expect is an arrival too many', async () => {
  // Without handles, as the hardware has it.
  const twice = ringOf(function* (ab) {
    for (let time = 0; time < 2; time++) {
      const stage = yield* ab.waitConsumer();
      arrive(ab.producerMbar(stage), { bytes: 16 });
    }
  }, uses(1));
  assert.equal((await rulesOf(twice))[0], 'over-arrival');
});

test('acquireConsumer twice, then both released', async () => {
  const twice = ringOf(loads(4), function* (ab) {
    for (let tile = 0; tile < 4; tile += 2) {
      const first = yield* ab.acquireConsumer();
      const second = yield* ab.acquireConsumer();
      first.release();
      second.release();
    }
  });
  assert.equal((await rulesOf(twice))[0], 'double-acquire');
});

test('and what it would do then: it never finishes, in no interleaving', async () => {
  const twice = ringOf(loads(4), function* (ab) {
    for (let tile = 0; tile < 4; tile += 2) {
      const stage = yield* ab.waitProducer();
      yield* ab.waitProducer();
      for (let time = 0; time < 2; time++) {
        arrive(ab.consumerMbar(stage));
        ab.consumerStep();
      }
    }
  });
  const [first] = await rulesOf(twice);
  assert.ok(['deadlock', 'stepped-without-signal', 'false-block'].includes(first!), first);
});

test('handles of one pipeline released out of order: the release steps past another stage', async () => {
  const outOfOrder = ringOf(loads(2), function* (ab) {
    const first = yield* ab.acquireConsumer();
    ab.consumerStep();
    const second = yield* ab.acquireConsumer();
    read(second.buffer());
    second.release();
    read(first.buffer());
    first.release();
  });
  const [found] = await findingsOf(outOfOrder);
  assert.equal(found?.rule, 'release-order');
});

test('handles of different pipelines are released in any order', async () => {
  // The pair of programs in docs/reference/ownership.md, W2.
  const free = ringOf(loads(2), uses(2), { advance: 'acquire' });
  assert.deepEqual(await rulesOf(free), []);
});

test('several stages held on purpose: index and barrier are kept, the signal comes later', async () => {
  const prefetch = ringOf(loads(4), function* (ab) {
    for (let tile = 0; tile < 4; tile += 2) {
      const held: number[] = [];
      for (let k = 0; k < 2; k++) {
        held.push(yield* ab.waitProducer());
        ab.consumerStep();
      }
      for (const stage of held) arrive(ab.consumerMbar(stage));
    }
  });
  assert.deepEqual(await rulesOf(prefetch), []);
});

test("several stages held with advance: 'acquire'", async () => {
  const held = ringOf(
    loads(4),
    function* (ab) {
      for (let tile = 0; tile < 4; tile += 2) {
        const first = yield* ab.acquireConsumer();
        const second = yield* ab.acquireConsumer();
        read(first.buffer());
        second.release();
        first.release();
      }
    },
    { advance: 'acquire' },
  );
  assert.deepEqual(await rulesOf(held), []);
});

test('a context that is not entered: the next acquire has the same stage', async () => {
  const dropped = ringOf(loads(2), function* (ab) {
    yield* ab.consume();
    yield* ab.consume();
  });
  const [found] = await findingsOf(dropped);
  assert.equal(found?.rule, 'double-acquire');
});

test('a context that is not entered, for the last tile: it is never released', async () => {
  const dropped = ringOf(loads(1), function* (ab) {
    yield* ab.consume();
  });
  assert.deepEqual(await rulesOf(dropped), ['leaked-stage']);
});

test('a producer that steps without a signal: the consumer hangs at once', async () => {
  const silent = ringOf(function* (ab) {
    (yield* ab.acquireProducer()).release();
  }, uses(1));
  const [found, ...derived] = await findingsOf(silent);
  assert.equal(found?.rule, 'stepped-without-signal');
  assert.deepEqual(placesOf(found), [
    'load: (yield* ab.acquireProducer()).release();',
    'load: (yield* ab.acquireProducer()).release();',
    'use: using full = yield* ab.consume();',
  ]);
  // That the consumer waits forever is part of it, and no error of its own.
  assert.deepEqual(derived, []);
  assert.deepEqual(found && starvingIn(found), ['use']);
});

test('a consumer that steps without a signal: the producer hangs a ring later', async () => {
  const silent = (tiles: number) =>
    ringOf(loads(tiles), function* (ab) {
      for (let tile = 0; tile < tiles; tile++) {
        (yield* ab.acquireConsumer()).releaseWithoutSignal();
      }
    });
  assert.deepEqual(await rulesOf(silent(2)), []);
  const [found, ...derived] = await findingsOf(silent(3));
  assert.equal(found?.rule, 'stepped-without-signal');
  assert.deepEqual(derived, []);
  assert.deepEqual(starvingIn(found), ['load', 'use']);
});

test('an arrival too many completes the next phase early', async () => {
  const twice = ringOf(loads(4), function* (ab) {
    for (let tile = 0; tile < 4; tile++) {
      const full = yield* ab.acquireConsumer();
      full.arrive();
      read(full.buffer());
      full.release();
    }
  });
  const [first] = await rulesOf(twice);
  assert.ok(['race', 'false-pass', 'false-block'].includes(first!), first);
});

test('a signal by too few lanes never comes', async () => {
  const elected = ringOf(
    loads(3),
    function* (ab) {
      for (let tile = 0; tile < 3; tile++) {
        using full = yield* ab.consumeExplicit();
        full.arrive({ lanes: 1 });
      }
    },
    { lanes: 32, consumers: 32 },
  );
  const [first] = await rulesOf(elected);
  assert.equal(first, 'deadlock');
});

test('a producer whose lap starts at 0 waits before the first tile', async () => {
  const wrong = kernel('wrong-start', {}, () => {
    const [full, empty, slot] = [barrier('full'), barrier('empty'), buffer('slot')];
    return [
      role('load', function* () {
        yield* waitParity(empty, 0);
        write(slot);
        arrive(full);
      }),
      role('use', function* () {
        yield* waitParity(full, 0);
        read(slot);
        arrive(empty);
      }),
    ];
  });
  const [found] = await findingsOf(wrong);
  assert.equal(found?.rule, 'deadlock');
  assert.deepEqual(placesOf(found), [
    'load: yield* waitParity(empty, 0);',
    'use: yield* waitParity(full, 0);',
    'use: arrive(empty);',
    'load: arrive(full);',
  ]);
});

test('a consumer that skips its wait reads what is not there', async () => {
  const ahead = ringOf(
    loads(1),
    function* (ab) {
      const stage = yield* ab.consumerStage();
      read(ab.buffers(stage)[0]!);
    },
    { stages: 1 },
  );
  assert.equal((await rulesOf(ahead))[0], 'race');
});

test('a copy that is used beside the original counts for itself', async () => {
  const forked = kernel('forked', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16 });
    const copy = ab.copy();
    return [
      role('load', function* () {
        yield* loads(4)(ab);
      }),
      role('use', function* () {
        yield* uses(2)(ab);
        yield* uses(2)(copy);
      }),
    ];
  });
  const [found] = await findingsOf(forked);
  assert.equal(found?.rule, 'forked-pipeline');
  assert.deepEqual(placesOf(found), [
    'use: using full = yield* ab.consume();',
    'use: using full = yield* ab.consume();',
  ]);
});
