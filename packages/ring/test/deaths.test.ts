// A thread that dies is noticed whatever the main thread does, and without a call to supervise().
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createRing, RingPoisoned } from '#src/public';
import type { DeathJob } from './death-worker.ts';

/** Far more than a death takes to be noticed, on a busy machine, too. */
const NOTICED_MS = 2000;
const CODE = new URL('./death-worker.ts', import.meta.url);
const schema = { value: 'i32' } as const;

const causes: Record<DeathJob['how'], RegExp> = {
  throw: /^Error: a broken frame$/,
  reject: /^Error: a broken promise$/,
  exit: /^its thread ended with code 3$/,
  fall: /^its thread ended with code 0$/,
  hang: /^its thread was terminated, or it crashed$/,
};

function start(side: DeathJob['side'], how: DeathJob['how'], holds: boolean) {
  const ring = createRing({ stages: 2, schema, timeoutMs: 30_000 });
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const job: DeathJob = { ring: ring.transfer('victim'), side, how, holds, signal };
  const worker = new Worker(CODE, { workerData: job });
  worker.on('error', () => {});
  return { ring, signal, worker };
}

/** Lets the victim die, without an event loop of this thread in between. */
function kill({ signal, worker }: ReturnType<typeof start>, how: DeathJob['how']): void {
  Atomics.wait(signal, 0, 0, 30_000);
  if (how === 'hang') void worker.terminate();
  Atomics.store(signal, 1, 1);
  Atomics.notify(signal, 1);
}

for (const side of ['producer', 'consumer'] as const) {
  for (const how of Object.keys(causes) as DeathJob['how'][]) {
    for (const holds of [false, true]) {
      test(`a ${side} that dies by ${how}, ${holds ? 'holding' : 'idle'}, ends a blocked wait`, () => {
        const victim = start(side, how, holds);
        const { ring } = victim;
        const peer = side === 'producer' ? ring.consumer('peer') : ring.producer('peer');
        // The item that it holds then.
        if (holds) peer.tryAcquire()?.release();
        kill(victim, how);
        const began = performance.now();
        assert.throws(
          () => {
            for (;;) peer.acquireSync()?.release();
          },
          (error) => {
            assert.ok(error instanceof RingPoisoned, String(error));
            assert.deepEqual([error.role, error.side], ['victim', side]);
            assert.match(error.cause, causes[how]);
            assert.equal(error.stages.length, holds ? 1 : 0);
            return true;
          },
        );
        assert.ok(performance.now() - began < NOTICED_MS);
      });
    }
  }
}

test('a death is noticed while the main thread computes', () => {
  for (const how of ['hang', 'exit'] as const) {
    const victim = start('producer', how, false);
    kill(victim, how);
    const began = performance.now();
    while (victim.ring.failure === null) {
      assert.ok(performance.now() - began < NOTICED_MS, 'noticed without an event loop');
    }
  }
});

test('every ring of a dead thread fails, and no other one', () => {
  const rings = [1, 2, 3].map(() => createRing({ stages: 2, schema }));
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const job: DeathJob = {
    ring: rings[0]!.transfer('victim'),
    also: rings[1]!.transfer('victim'),
    side: 'producer',
    how: 'hang',
    holds: false,
    signal,
  };
  const worker = new Worker(CODE, { workerData: job });
  rings[2]!.transfer('other');
  kill({ ring: rings[0]!, signal, worker }, 'hang');
  for (const ring of rings.slice(0, 2)) {
    assert.throws(() => ring.consumer().acquireSync({ timeoutMs: 30_000 }), RingPoisoned);
  }
  assert.equal(rings[2]!.failure, null);
});

test('the death of a second worker that got the same ring blames no other one', async () => {
  const ring = createRing({ stages: 2, schema, timeoutMs: 30_000 });
  const transferred = ring.transfer('one');
  const signals = [0, 1].map(() => new Int32Array(new SharedArrayBuffer(8)));
  const job = { ring: transferred, side: 'consumer', how: 'fall', holds: false } as const;
  const workers = signals.map((signal) => {
    const worker = new Worker(CODE, { workerData: { ...job, signal } satisfies DeathJob });
    worker.on('error', () => {});
    ring.supervise(worker, transferred);
    return worker;
  });
  // One of them gets the place, the other one dies of RingMisuse.
  await Promise.race(workers.map((worker) => new Promise((resolve) => worker.on('exit', resolve))));
  assert.equal(ring.failure, null);
  for (const signal of signals) {
    Atomics.store(signal, 1, 1);
    Atomics.notify(signal, 1);
  }
});

test('a worker that is done may end in any way', async () => {
  for (const how of ['throw', 'exit', 'fall'] as const) {
    const victim = start('producer', how, false);
    const exit = new Promise((resolve) => victim.worker.on('exit', resolve));
    Atomics.wait(victim.signal, 0, 0, 30_000);
    Atomics.store(victim.signal, 1, 2);
    Atomics.notify(victim.signal, 1);
    assert.equal(await victim.ring.consumer().acquire(), undefined);
    await exit;
    assert.equal(victim.ring.failure, null);
  }
});
