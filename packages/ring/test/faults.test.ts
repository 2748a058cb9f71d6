// A thread that crashes while it holds a stage: every waiting endpoint throws the cause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createRing } from '#src/public';
import { runThreads, type ThreadSpec } from './run-threads.ts';
import type { Job } from './worker.ts';

const HERE = /test\/worker\.ts:\d+:\d+$/;

const causes: readonly [Job['failure'], RegExp][] = [
  ['throw', /^Error: a broken frame$/],
  ['exit', /^its thread ended with code 3$/],
  ['fall', /^its thread ended with code 0$/],
  ['hang', /^its thread ended with code 1$/],
  ['oom', /ERR_WORKER_OUT_OF_MEMORY|memory/i],
];

for (const side of ['producer', 'consumer'] as const) {
  for (const [failure, cause] of causes) {
    test(`a ${side} that ends by ${failure} poisons its ring`, async () => {
      const ring = createRing({ stages: 2, schema: { seq: 'i32', by: 'i32' }, debug: true });
      const bad: ThreadSpec = { side, number: 7, items: 9, failAt: 3, failure };
      const other = side === 'producer' ? 'consumer' : 'producer';
      const good: ThreadSpec = { side: other, number: 0, items: 9 };
      const outcomes = await runThreads(ring, [bad, good], (worker) => {
        if (failure === 'hang') void worker.terminate();
      });
      const error = outcomes[1]!.message as Error;
      assert.equal(error.name, 'Error', 'the other side was woken by an error');
      assert.match(error.message, new RegExp(`${side} ${side} 7 failed while it held stage 1`));
      const failed = ring.failure!;
      assert.deepEqual([failed.role, failed.side, failed.stages], [`${side} 7`, side, [1]]);
      assert.match(failed.cause, cause);
      assert.match(failed.line!, HERE);
      // Stages held by the crashed thread are not items; the peer may not have received all items.
      const { produced, consumed, inFlight, unfinished } = failed.items;
      assert.ok(consumed <= 3);
      assert.equal(inFlight, produced - consumed);
      assert.ok(side === 'consumer' || (produced === 3 && unfinished === 1));
    });
  }
}

test('a thread that crashes before it claims its endpoint poisons the ring', async () => {
  const ring = createRing({ stages: 2, schema: { seq: 'i32', by: 'i32' } });
  const transferred = ring.transfer('late');
  const worker = new Worker('process.exit(4)', { eval: true, workerData: transferred });
  ring.supervise(worker, transferred);
  await assert.rejects(ring.consumer().acquire(), /producer late failed: its thread ended with/);
});

test('a thread that has closed its endpoints may end', async () => {
  const ring = createRing({ stages: 2, schema: { seq: 'i32', by: 'i32' } });
  const outcomes = await runThreads(ring, [
    { side: 'producer', number: 0, items: 5 },
    { side: 'consumer', number: 0 },
  ]);
  assert.deepEqual([outcomes.map(({ exitCode }) => exitCode), ring.failure], [[0, 0], null]);
});
