// tier: deep
// Producers, consumers and their handles: what they signal, what they own, and how they are misused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { end, kernel, loop, mma, read, role, syncNamed, tma, write } from 'poundlock';
import type { Kernel, Op } from 'poundlock';
import { PipelineAsync, PipelineTmaAsync, PipelineUmmaAsync } from '@poundlock/dialects/cute';
import type { ConsumerHandle, PipelineConsumer, PipelineProducer } from '@poundlock/dialects/cute';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { visibleSteps } from './visible-steps.ts';

type Part<P> = (participant: P) => Generator<Op, void, number>;
type Create = Parameters<typeof PipelineAsync.create>[1];

/** Two threads over a pipeline of two stages: one writes, one reads. */
function threadsRing(
  produces: Part<PipelineProducer>,
  consumes: Part<PipelineConsumer>,
  options: Partial<Create> = {},
): Kernel {
  return kernel('ring', {}, () => {
    const ab = PipelineAsync.create('ab', { numStages: 2, ...options });
    const [producer, consumer] = ab.makeParticipants();
    return [
      role('fill', function* () {
        yield* produces(producer);
      }),
      role('empty', function* () {
        yield* consumes(consumer);
      }),
    ];
  });
}

function fills(tiles: number): Part<PipelineProducer> {
  return function* (producer) {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* producer.acquireAndAdvance();
      write(handle.buffer());
      handle.commit();
    }
    yield* producer.tail();
  };
}

function empties(tiles: number): Part<PipelineConsumer> {
  return function* (consumer) {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      handle.release();
    }
  };
}

test('acquire and wait hold the stage, advance moves on', () => {
  const steps = visibleSteps(
    threadsRing(
      function* (producer) {
        for (let tile = 0; tile < 3; tile++) {
          const handle = yield* producer.acquire();
          write(handle.buffer());
          handle.commit();
          producer.advance();
        }
      },
      function* (consumer) {
        for (let tile = 0; tile < 3; tile++) {
          const handle = yield* consumer.wait();
          read(handle.buffer());
          handle.release();
          consumer.advance();
        }
      },
    ),
  );
  const moving = visibleSteps(threadsRing(fills(3), empties(3)));
  assert.deepEqual(steps.empty, moving.empty);
  assert.deepEqual(steps.fill, moving.fill!.slice(0, -2)); // no tail
});

test('a commit or release without a handle is of the stage that the role stands at', async () => {
  const byState = threadsRing(
    function* (producer) {
      for (let tile = 0; tile < 3; tile++) {
        const handle = yield* producer.acquire();
        write(handle.buffer());
        yield* producer.commit();
        producer.advance();
      }
    },
    function* (consumer) {
      for (let tile = 0; tile < 3; tile++) {
        const handle = yield* consumer.wait();
        read(handle.buffer());
        yield* consumer.release();
        consumer.advance();
      }
    },
  );
  for (const engine of ['certify', 'search'] as const) {
    const { verdict, findings } = await check(byState, { engine });
    assert.deepEqual([verdict, findings], ['certified', []]);
  }
});

test('a clone that only releases ends the handles of the consumer that waits', async () => {
  const apart = kernel('apart', {}, () => {
    const ab = PipelineAsync.create('ab', { numStages: 2 });
    const [producer, consumer] = ab.makeParticipants();
    const releaser = consumer.clone();
    return [
      role('fill', function* () {
        yield* fills(4)(producer);
      }),
      role('empty', function* () {
        for (let tile = 0; tile < 4; tile++) {
          const handle = yield* consumer.waitAndAdvance();
          read(handle.buffer());
          if (tile === 0) continue; // the release is one stage behind
          yield* releaser.release();
          releaser.advance();
        }
        yield* releaser.release();
      }),
    ];
  });
  for (const engine of ['certify', 'search'] as const) {
    const { verdict, findings } = await check(apart, { engine });
    assert.deepEqual([verdict, findings], ['certified', []]);
  }
});

test('handles are held and released in any order', async () => {
  const twoAtOnce = threadsRing(fills(4), function* (consumer) {
    for (let pair = 0; pair < 2; pair++) {
      const first = yield* consumer.waitAndAdvance();
      const second = yield* consumer.waitAndAdvance();
      assert.notEqual(first.index, second.index);
      read(first.buffer());
      read(second.buffer());
      second.release();
      first.release();
    }
  });
  assert.deepEqual(await rulesOf(twoAtOnce), []);
});

test('a handle moves through the state of a loop', async () => {
  const handOver = threadsRing(fills(4), function* (consumer) {
    const start: { tile: number; previous: ConsumerHandle | null } = { tile: 0, previous: null };
    const last = yield* loop(start, function* ({ tile, previous }) {
      if (tile === 4) return end(previous);
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      previous?.release();
      return { tile: tile + 1, previous: handle };
    });
    last?.release();
  });
  for (const engine of ['certify', 'search'] as const) {
    assert.equal(
      (await check(handOver, { engine, accept: ['loop-state'] })).verdict,
      'certified',
      engine,
    );
  }
});

test('a TMA handle moves through a loop, too, and owes nothing', async () => {
  const prefetch = kernel('prefetch', {}, () => {
    const ab = PipelineTmaAsync.create('ab', { numStages: 2, bytes: 16 });
    const [producer, consumer] = ab.makeParticipants();
    return [
      role('load', function* () {
        const first = yield* producer.acquireAndAdvance();
        yield* loop({ tile: 0, handle: first }, function* ({ tile, handle }) {
          tma.copy(handle);
          handle.commit(); // does nothing
          if (tile === 2) return end(null);
          return { tile: tile + 1, handle: yield* producer.acquireAndAdvance() };
        });
      }),
      role('use', function* () {
        yield* empties(3)(consumer);
      }),
    ];
  });
  for (const engine of ['certify', 'search'] as const) {
    assert.equal(
      (await check(prefetch, { engine, accept: ['loop-state'] })).verdict,
      'certified',
      engine,
    );
  }
});

test('misuses of a handle are findings, not exceptions', async () => {
  const misuses: [rule: string, Part<PipelineConsumer>][] = [
    [
      'double-release',
      function* (consumer) {
        const handle = yield* consumer.waitAndAdvance();
        handle.release();
        assert.equal(handle.isReleased, true);
        handle.release();
      },
    ],
    [
      'use-after-release',
      function* (consumer) {
        const handle = yield* consumer.waitAndAdvance();
        assert.equal(handle.isReleased, false);
        handle.release();
        read(handle.buffer());
      },
    ],
    [
      'use-after-release',
      function* (consumer) {
        const handle = yield* consumer.waitAndAdvance();
        handle.release();
        assert.match(handle.barrier.name, /^ab\.empty/);
      },
    ],
    [
      'leaked-stage',
      function* (consumer) {
        yield* consumer.waitAndAdvance();
      },
    ],
    [
      'double-acquire',
      function* (consumer) {
        const first = yield* consumer.wait();
        const second = yield* consumer.wait(); // no advance
        first.release();
        second.release();
      },
    ],
  ];
  for (const [rule, consumes] of misuses) {
    const [found] = await rulesOf(threadsRing(fills(1), consumes));
    assert.equal(found, rule);
  }
});

test('a commit twice, and none at all, are found where a commit signals', async () => {
  const twice = threadsRing(function* (producer) {
    const handle = yield* producer.acquireAndAdvance();
    handle.commit();
    handle.commit();
  }, empties(1));
  assert.deepEqual(await rulesOf(twice), ['double-release']);
  const never = threadsRing(function* (producer) {
    yield* producer.acquireAndAdvance();
  }, empties(1));
  assert.ok((await rulesOf(never)).includes('leaked-stage'));
});

test('a second acquire of a TMA stage expects the bytes twice', async () => {
  const twice = kernel('twice', {}, () => {
    const ab = PipelineTmaAsync.create('ab', { numStages: 2, bytes: 16 });
    const [producer] = ab.makeParticipants();
    return [
      role('load', function* () {
        yield* producer.acquire();
        yield* producer.acquire();
      }),
    ];
  });
  assert.deepEqual(await rulesOf(twice), ['over-arrival']);
});

test('a try makes its wait needless, of the same stage alone', async () => {
  const peeks = (fresh: boolean) =>
    threadsRing(
      function* (producer) {
        let token = yield* producer.tryAcquire();
        for (let tile = 0; tile < 3; tile++) {
          const handle = yield* producer.acquireAndAdvance(token);
          write(handle.buffer());
          handle.commit();
          if (fresh) token = yield* producer.tryAcquire();
        }
      },
      function* (consumer) {
        for (let tile = 0; tile < 3; tile++) {
          const token = yield* consumer.tryWait();
          const handle = yield* consumer.waitAndAdvance(token);
          read(handle.buffer());
          handle.release();
        }
      },
    );
  assert.deepEqual(await rulesOf(peeks(true)), []);
  assert.deepEqual(await rulesOf(peeks(false)), ['stale-try-token']);
});

test('a clone has a counter of its own, and is made in the callback', async () => {
  const cloned = kernel('cloned', {}, () => {
    const ab = PipelineAsync.create('ab', { numStages: 2 });
    const [producer, consumer] = ab.makeParticipants();
    const other = consumer.clone();
    return [
      role('fill', function* () {
        yield* fills(2)(producer);
      }),
      role('empty', function* () {
        const handle = yield* other.waitAndAdvance();
        handle.release();
        const next = yield* other.waitAndAdvance();
        next.release();
      }),
      role('idle', function* () {
        assert.throws(
          () => consumer.clone(),
          /clone\(\) must be called inside a kernel's callback/,
        );
      }),
    ];
  });
  assert.deepEqual(await rulesOf(cloned), []);
});

test('the tail waits forevery stage; that of UmmaAsync for the last one of an even CTA', () => {
  const tails = kernel('tails', {}, () => {
    const [threads, released] = PipelineAsync.create('ab', { numStages: 3 }).makeParticipants();
    const [umma, drained] = PipelineUmmaAsync.create('acc', { numStages: 3 }).makeParticipants();
    return [
      role('fill', function* () {
        yield* fills(4)(threads);
      }),
      role('empty', function* () {
        yield* empties(4)(released);
      }),
      role('mma', function* () {
        for (let tile = 0; tile < 4; tile++) {
          const acc = yield* umma.acquireAndAdvance();
          mma.issue([], acc.buffers);
          acc.commit();
        }
        yield* umma.tail();
      }),
      role('epilogue', function* () {
        yield* empties(4)(drained);
      }),
      role('odd', { cta: 1 }, function* () {
        yield* umma.tail();
      }),
    ];
  });
  const { fill, mma: multiply, odd } = visibleSteps(tails);
  assert.deepEqual(fill!.slice(-3), [
    'wait for ab.empty[1] of CTA 0 phase 0',
    'wait for ab.empty[2] of CTA 0 phase 0',
    'wait for ab.empty[0] of CTA 0 phase 1',
  ]);
  assert.deepEqual(multiply!.slice(-2), [
    'commit to acc.full[0] of CTA 0',
    'wait for acc.empty[0] of CTA 0 phase 1',
  ]);
  assert.deepEqual(odd, []);
});

test('deferSync leaves the initialisation to one role, and the sync to all', async () => {
  const deferred = (synced: boolean) =>
    kernel('deferred', {}, () => {
      const ab = PipelineAsync.create('ab', { numStages: 1, deferSync: true });
      const [producer, consumer] = ab.makeParticipants();
      return [
        role('fill', function* () {
          ab.init();
          if (synced) yield* syncNamed(1, 2);
          yield* fills(2)(producer);
        }),
        role('empty', function* () {
          if (synced) yield* syncNamed(1, 2);
          yield* empties(2)(consumer);
        }),
      ];
    });
  assert.deepEqual(await rulesOf(deferred(true)), []);
  assert.deepEqual(await rulesOf(deferred(false)), ['uninitialised-barrier']);
});

test('a release by some lanes is so many arrivals', async () => {
  const elected = kernel('elected', {}, () => {
    const ab = PipelineAsync.create('ab', { numStages: 1 });
    const [producer, consumer] = ab.makeParticipants();
    return [
      role('fill', { lanes: 32 }, function* () {
        for (let tile = 0; tile < 2; tile++) {
          const handle = yield* producer.acquireAndAdvance();
          handle.commit({ lanes: 1 });
        }
      }),
      role('empty', { lanes: 32 }, function* () {
        for (let tile = 0; tile < 2; tile++) {
          yield* consumer.wait();
          yield* consumer.release({ lanes: 1 });
          consumer.advance();
        }
      }),
    ];
  });
  assert.deepEqual(await rulesOf(elected), []);
});
