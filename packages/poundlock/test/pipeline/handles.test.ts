// What a handle knows of its stage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { barrier, kernel, mma, pipeline, read, role, tma, wait, write } from 'poundlock';
import {
  ConsumeContext,
  ConsumerStage,
  ExplicitConsumeContext,
  ProduceContext,
  ProducerConsumerPipeline,
  ProducerStage,
} from 'poundlock';

test('a handle has its number, its buffers, its bytes and the barrier that it signals', async () => {
  const target = kernel('handles', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: { a: 16, b: 8 } });
    const done = barrier('done');
    assert.ok(ab instanceof ProducerConsumerPipeline);
    return [
      role('load', function* () {
        const slot = yield* ab.acquireProducer();
        assert.ok(slot instanceof ProducerStage);
        assert.deepEqual([slot.index, slot.bytes, slot.partBytes], [0, 24, [16, 8]]);
        assert.equal(slot.mbar(), ab.producerMbar(0));
        assert.deepEqual(slot.buffers, ab.buffers(0));
        assert.equal(slot.buffer('b'), ab.buffers(0)[1]);
        tma.load(slot);
        slot.release();
        using next = yield* ab.produce();
        assert.ok(next instanceof ProduceContext);
        assert.equal(next.index, 1);
        assert.equal(next.stage().mbar(), ab.producerMbar(1));
        for (const part of next.buffers) write(part);
        next.arrive();
      }),
      role('use', function* () {
        const tile = yield* ab.acquireConsumer();
        assert.ok(tile instanceof ConsumerStage);
        assert.deepEqual([tile.index, tile.mbar()], [0, ab.consumerMbar(0)]);
        mma.issue([tile]);
        mma.commit(done);
        yield* wait(done, 0);
        tile.releaseWithoutSignal();
        using next = yield* ab.consumeExplicit();
        assert.ok(next instanceof ExplicitConsumeContext && next instanceof ConsumeContext);
        read(next.stage().buffer());
      }),
    ];
  });
  const { findings } = await check(target);
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    [],
  );
});
