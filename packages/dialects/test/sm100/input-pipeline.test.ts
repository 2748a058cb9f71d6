// tier: deep
// Input pipelines: every way to fill and to read a stage, and what each does, step by step.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import { kernel, role } from 'poundlock';
import { InputTilePipeline, StandardTilePayload } from '@poundlock/dialects/sm100';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { BYTES, oneCta, product, type Part, type Parts } from './one-cta.ts';
import { stepsOf } from './steps.ts';
import { MmaWarpContext } from '@poundlock/dialects/sm100';

type Fill = (parts: Parts) => Part;

const FILL = [
  'waitStage input as producer',
  `arrive input.full 1, ${BYTES} B`,
  `asyncCopy input.full ${BYTES / 2} B`,
  `asyncCopy input.full ${BYTES / 2} B`,
  'step input as producer',
];
const READ = [
  'waitStage accum as producer',
  'waitStage input as consumer',
  'asyncUse tmem',
  'commit input.empty',
  'step input as consumer',
  'commit accum.full',
  'step accum as producer',
];

/** The ways in which a load warp fills one stage. */
const FILLS: Record<string, Fill> = {
  *'producer().acquire()'({ input, load }) {
    using tiles = yield* input.producer().acquire();
    load(tiles);
  },
  *'producer().acquireStage()'({ input, load }) {
    const tiles = yield* input.producer().acquireStage();
    load(tiles);
    tiles.release();
  },
  *'producer().acquireIfNeeded(false)'({ input, load }) {
    using tiles = yield* input.producer().acquireIfNeeded(false);
    load(tiles);
  },
  *'acquireProducer()'({ input, load }) {
    const tiles = yield* input.acquireProducer();
    load(tiles);
    tiles.release();
  },
};

suite('a stage is filled, and its release only steps', () => {
  for (const [name, fill] of Object.entries(FILLS)) {
    test(name, async () => {
      const kernelOf = oneCta({
        *load(parts) {
          yield* parts.each(() => fill(parts));
          yield* parts.input.producer().drain();
        },
      });
      assert.deepEqual(stepsOf(kernelOf, 'load').slice(0, FILL.length), FILL);
      assert.deepEqual(await rulesOf(kernelOf), []);
    });
  }
});

test('drain waits forevery stage once, and steps: also as drainProducer', async () => {
  for (const drains of [
    ({ input }: Parts) => input.producer().drain(),
    ({ input }: Parts) => input.drainProducer(),
  ]) {
    const drained = oneCta({
      *load(parts) {
        using producer = parts.input.producer(); // leaving it does nothing
        yield* parts.each(() => FILLS['acquireProducer()']!(parts));
        yield* drains(parts);
        void producer;
      },
    });
    const wait = ['waitStage input as producer', 'step input as producer'];
    assert.deepEqual(stepsOf(drained, 'load').slice(-4), [...wait, ...wait]);
    assert.deepEqual(await rulesOf(drained), []);
  }
});

function mmaThat(reads: (parts: Parts, mmaCtx: MmaWarpContext) => Part) {
  return oneCta({
    *mma(parts) {
      const { smem, ctx, each } = parts;
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      using _life = mmaCtx.enter();
      yield* each(() => reads(parts, mmaCtx));
    },
  });
}

suite('a stage is read, and its release only steps: the commit frees it', () => {
  const ways: Record<string, (parts: Parts, mmaCtx: MmaWarpContext) => Part> = {
    *'consumer().acquire()'({ input, mmaOp }, mmaCtx) {
      using output = yield* mmaCtx.outputPipeline.producer();
      using tiles = yield* input.consumer().acquire();
      product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
      mmaOp.commit(tiles.mbar());
    },
    *'consumer().acquireStage()'({ input, mmaOp }, mmaCtx) {
      using output = yield* mmaCtx.outputPipeline.producer();
      const tiles = yield* input.consumer().acquireStage();
      product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
      mmaOp.commit(tiles.mbar());
      tiles.release();
    },
    *'consumer().acquireIfNeeded(false)'({ input, mmaOp }, mmaCtx) {
      using output = yield* mmaCtx.outputPipeline.producer();
      using consumer = input.consumer(); // leaving it does nothing
      using tiles = yield* consumer.acquireIfNeeded(false);
      product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
      mmaOp.commit(tiles.mbar());
    },
    *'acquireConsumer()'({ input, mmaOp }, mmaCtx) {
      using output = yield* mmaCtx.outputPipeline.producer();
      const tiles = yield* input.acquireConsumer();
      product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
      mmaOp.commit(tiles.mbar());
      tiles.release();
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    test(name, async () => {
      const reading = mmaThat(way);
      const steps = stepsOf(reading, 'mma');
      const first = steps.indexOf('waitStage accum as producer');
      assert.deepEqual(steps.slice(first, first + READ.length), READ);
      assert.deepEqual(await rulesOf(reading), []);
    });
  }

  test('without the commit the stage is never free again, whatever its release is called', async () => {
    const silent = mmaThat(function* ({ input, mmaOp }, mmaCtx) {
      using output = yield* mmaCtx.outputPipeline.producer();
      const tiles = yield* input.acquireConsumer();
      product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
      tiles.release();
    });
    assert.ok((await rulesOf(silent)).some((rule) => /stepped-without|deadlock/.test(rule)));
  });
});

suite('tries', () => {
  test('tryAcquire and acquireIfNeeded, on both sides', async () => {
    const trying = oneCta({
      items: 1,
      *load({ input, each, load }) {
        const producer = input.producer();
        yield* each(function* () {
          const ready = yield* producer.tryAcquire();
          using tiles = yield* producer.acquireIfNeeded(ready);
          load(tiles);
        });
      },
      *mma({ smem, ctx, input, each, mmaOp }) {
        const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
        using _life = mmaCtx.enter();
        const consumer = input.consumer();
        yield* each(function* () {
          using output = yield* mmaCtx.outputPipeline.producer();
          const ready = yield* consumer.tryAcquire();
          using tiles = yield* consumer.acquireIfNeeded(ready);
          product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
          mmaOp.commit(tiles.mbar());
        });
      },
    });
    assert.deepEqual(await rulesOf(trying), []);
  });

  test('tryAcquireProducer goes with waitConsumerIfNeeded: both are about empty', async () => {
    const trying = oneCta({
      items: 1,
      *load({ input, load }) {
        const ready = yield* input.tryAcquireProducer();
        assert.equal(yield* input.waitConsumerIfNeeded(ready), yield* input.producerStage());
        const tiles = yield* input.acquireProducer();
        load(tiles);
        tiles.release();
      },
      *mma({ smem, ctx, input, mmaOp }) {
        const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
        using _life = mmaCtx.enter();
        using output = yield* mmaCtx.outputPipeline.producer();
        const ready = yield* input.tryAcquireConsumer();
        assert.equal(yield* input.waitProducerIfNeeded(ready), yield* input.consumerStage());
        using tiles = yield* input.consumer().acquire();
        product(mmaOp, tiles.payload().getTile(tiles.stage()), output.tmem);
        mmaOp.commit(tiles.mbar());
      },
    });
    assert.deepEqual(await rulesOf(trying), []);
  });

  test('T18: a yes of the stage before is stale', async () => {
    const stale = oneCta({
      *load({ input, each, load }) {
        const producer = input.producer();
        yield* each(function* () {
          using tiles = yield* producer.acquireIfNeeded(true);
          load(tiles);
        });
        yield* producer.drain();
      },
    });
    assert.equal((await rulesOf(stale))[0], 'stale-try-token');
  });
});

test('the barriers of a stage, by number and by handle', async () => {
  const byNumber = oneCta({
    items: 2,
    *load({ input, load }) {
      const tiles = yield* input.acquireProducer();
      assert.equal(tiles.barrier(), input.producerMbar(tiles.stage()));
      assert.equal(tiles.mbar(), tiles.barrier());
      assert.equal(input.producerMbar(0), input.pipeline.producerMbar(0));
      load(tiles);
      tiles.release();
      const second = yield* input.acquireProducer();
      second.expectBytes(BYTES);
      for (const tile of second.payload().getTile(1)) {
        assert.equal(tile.bytes, BYTES / 2);
      }
      second.release();
    },
    *mma({ input }) {
      const tiles = yield* input.acquireConsumer();
      assert.equal(tiles.mbar(), input.consumerMbar(0));
      tiles.release();
    },
  });
  assert.notEqual((await check(byNumber)).verdict, 'certified'); // the second bytes are missing
});

test('two acquires without a release are the same stage', async () => {
  const twice = oneCta({
    *load({ input, load }) {
      const one = yield* input.acquireProducer();
      const other = yield* input.acquireProducer();
      assert.equal(one.index, other.index);
      load(one);
      one.release();
      other.release();
    },
  });
  assert.equal((await rulesOf(twice))[0], 'double-acquire');
});

test('a linear handle that is forgotten is leaked', async () => {
  const forgotten = oneCta({
    *load({ input, load }) {
      load(yield* input.producer().acquireStage());
    },
  });
  assert.ok((await rulesOf(forgotten)).includes('leaked-stage'));
});

test('a stage has kGroupSize tiles of each kind under one pair of barriers', async () => {
  const grouped = kernel('grouped', {}, () => {
    const payload = new StandardTilePayload({ a: [8, 8], b: [8, 8], stages: 6 });
    const input = new InputTilePipeline('input', payload, { stages: 6, kGroupSize: 2 });
    assert.equal(input.numGroupStages, 3);
    assert.equal(input.pipeline.stages, 3);
    assert.equal(input.payload, payload);
    return [role('empty', function* () {})];
  });
  assert.equal((await check(grouped)).verdict, 'certified');
  const odd = kernel('odd', {}, () => {
    const payload = new StandardTilePayload({ a: [8, 8], b: [8, 8], stages: 5 });
    return [new InputTilePipeline('input', payload, { stages: 5, kGroupSize: 2 })] as never;
  });
  await assert.rejects(check(odd), /the stages of input must be a multiple of 2, not 5/);
});
