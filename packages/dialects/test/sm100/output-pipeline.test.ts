// tier: deep
// Output pipelines: who commits an accumulator, who frees it, and what only steps.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import {
  AccumBarrier,
  EpilogueWarpContext,
  MmaWarpContext,
  OutputStage,
} from '@poundlock/dialects/sm100';
import type { EpilogueKContext } from '@poundlock/dialects/sm100';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { oneCta, product, type Part, type Parts } from './one-cta.ts';
import { stepsOf } from './steps.ts';

type Fills = (parts: Parts, mmaCtx: MmaWarpContext) => Part;
type Reads = (parts: Parts, epiCtx: EpilogueWarpContext) => Part;

function mmaThat(fills: Fills, pair = false) {
  return oneCta({
    pair,
    *mma(parts) {
      const { smem, ctx, each } = parts;
      const mmaCtx = yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      using _life = mmaCtx.enter();
      if (ctx.electOneCta) yield* each(() => fills(parts, mmaCtx));
    },
  });
}

function epilogueThat(reads: Reads, pair = false) {
  return oneCta({
    pair,
    *epilogue(parts) {
      const { smem, ctx, each } = parts;
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      using _done = epiCtx.enter();
      yield* each(() => reads(parts, epiCtx));
    },
  });
}

function* multiply({ input, mmaOp }: Parts, into: { tmem: OutputStage['tmem'] }): Part {
  using tiles = yield* input.consumer().acquire();
  product(mmaOp, tiles.payload().getTile(tiles.stage()), into.tmem);
  mmaOp.commit(tiles.mbar());
}

const FILLS: Record<string, Fills> = {
  *'producer()'(parts, { outputPipeline }) {
    using output = yield* outputPipeline.producer();
    yield* multiply(parts, output);
  },
  *'acquireMmaLinear()'(parts, { outputPipeline }) {
    const output = yield* outputPipeline.acquireMmaLinear();
    assert.equal(output.tmemOffset(), output.index * 256);
    assert.equal(output.tmem.offset(), output.tmemOffset());
    assert.equal(output.mbar(), outputPipeline.getPipeline().producerMbar(output.index));
    yield* multiply(parts, output);
    output.release();
  },
  *'acquireForMma() and releaseFromMma()'(parts, { outputPipeline }) {
    const stage = yield* outputPipeline.acquireForMma();
    yield* multiply(parts, { tmem: outputPipeline.stage(stage) });
    outputPipeline.releaseFromMma(stage);
  },
  *'perK().produce()'(parts, { outputPipeline }) {
    using output = yield* outputPipeline.perK().produce();
    yield* multiply(parts, output);
  },
  *'perKStage()'(parts, mmaCtx) {
    using output = yield* mmaCtx.perKStage();
    yield* multiply(parts, output);
  },
};

suite('an accumulator is filled; its end commits, then steps', () => {
  for (const [name, fills] of Object.entries(FILLS)) {
    for (const pair of [false, true]) {
      test(`${name}, ${pair ? 'a pair' : 'one CTA'}`, async () => {
        const filling = mmaThat(fills, pair);
        const steps = stepsOf(filling, pair ? 'mma@0' : 'mma');
        const at = steps.indexOf('waitStage accum as producer');
        const end = steps.indexOf('step accum as producer');
        assert.equal(steps[end - 1], `commit accum.full${pair ? ' @0,1' : ''}`);
        assert.ok(at >= 0 && at < end);
        assert.equal((await check(filling, { engine: 'certify' })).verdict, 'certified');
      });
    }
  }
});

const READS: Record<string, Reads> = {
  *'consumer()'({ drainAccumulator }, { outputPipeline }) {
    using output = yield* outputPipeline.consumer();
    yield* drainAccumulator(output.outputStage);
  },
  *'acquireEpilogueLinear()'({ drainAccumulator }, { outputPipeline }) {
    const output = yield* outputPipeline.acquireEpilogueLinear();
    assert.equal(output.tmemOffset(), output.tmem.offset());
    yield* drainAccumulator(output.outputStage);
    output.release();
  },
  *'acquireForEpilogue() and releaseFromEpilogue()'({ drainAccumulator }, { outputPipeline }) {
    const index = yield* outputPipeline.acquireForEpilogue();
    const { tmem } = outputPipeline;
    yield* drainAccumulator(OutputStage.fromRaw(outputPipeline.getPipeline(), index, tmem));
    outputPipeline.releaseFromEpilogue();
  },
  *'perK().consume()'({ smem }, { outputPipeline }) {
    using output = yield* outputPipeline.perK().consume();
    output.tmem.loadUpper();
    yield* output.tmem.waitLoad();
    assert.equal(output.owner.opc, smem.accumBarriers.opc);
  },
};

suite('an accumulator is read: freed at the leader by every thread, then left', () => {
  for (const [name, reads] of Object.entries(READS)) {
    for (const pair of [false, true]) {
      test(`${name}, ${pair ? 'a pair' : 'one CTA'}`, async () => {
        const reading = epilogueThat(reads, pair);
        const steps = stepsOf(reading, pair ? 'epilogue@1' : 'epilogue');
        const end = steps.indexOf('step accum as consumer');
        assert.equal(steps[end - 1], `arrive accum.empty 128${pair ? ', @0' : ''}`);
        assert.equal((await check(reading, { engine: 'certify' })).verdict, 'certified');
      });
    }
  }

  test('consumer() and acquireEpilogueLinear() free nothing by themselves', async () => {
    for (const silent of [
      epilogueThat(function* (_, { outputPipeline }) {
        using _output = yield* outputPipeline.consumer();
      }),
      epilogueThat(function* (_, { outputPipeline }) {
        (yield* outputPipeline.acquireEpilogueLinear()).release();
      }),
    ]) {
      const rules = await rulesOf(silent);
      assert.ok(
        rules.some((rule) => /stepped-without-signal|deadlock/.test(rule)),
        rules.join(),
      );
    }
  });
});

/** The epilogue of a per-K kernel, whose input stage needs `extra` more arrivals than a commit. */
function perK(ends: (context: EpilogueKContext) => void, extra = 4) {
  return oneCta({
    *epilogue({ smem, ctx, each, input }) {
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      using _done = epiCtx.enter();
      yield* each(function* () {
        using context = yield* epiCtx.perKStage(input.pipeline);
        ends(context);
      });
    },
    extraInputArrivals: extra,
  });
}

test('EpilogueKContext: waits for the accumulator alone; leaves input, frees, leaves accum', async () => {
  const both = perK(({ kStage }) => {
    assert.equal(kStage.outputStage.index, kStage.inputStageIndex % 2);
    kStage.arriveInput(4);
  });
  assert.deepEqual(stepsOf(both, 'epilogue').slice(2, 9), [
    'stage',
    'waitStage accum as consumer',
    'arrive input.empty 4',
    'step input as consumer',
    'arrive accum.empty 128',
    'step accum as consumer',
    'stage',
  ]);
  assert.deepEqual(await rulesOf(both), []);
  const forgets = perK(() => {});
  assert.ok((await rulesOf(forgets)).length > 0, 'nothing else frees the input stage');
});

test('AccumBarrier.arrive, and the initial counts of the barriers', async () => {
  const raw = epilogueThat(function* (_, { outputPipeline }) {
    const stage = yield* outputPipeline.acquireForEpilogue();
    AccumBarrier.arrive(outputPipeline.getPipeline(), stage);
    outputPipeline.releaseFromEpilogue();
  });
  assert.deepEqual(await rulesOf(raw), []);
});
