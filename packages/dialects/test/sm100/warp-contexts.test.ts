// tier: deep
// The life of tensor memory: allocated by one warp, read by others, freed when all are done.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import { kernel, role } from 'poundlock';
import {
  EpilogueHandle,
  EpilogueWarp,
  EpilogueWarpContext,
  MmaHandle,
  MmaWarp,
  MmaWarpContext,
  OutputTilePipeline,
  TmemAllocation,
  TmemDeallocBarrier,
  TmemStorage,
} from '@poundlock/dialects/sm100';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { oneCta, product, type Parts } from './one-cta.ts';
import { stepsOf } from './steps.ts';

const BEGIN = ['alloc', 'alloc', 'write tmem_addr', 'arriveNamed'];
const END = ['relinquish', 'wait tmem_dealloc', 'free tmem', 'free tmem'];
const OF_PAIR = ['arrive tmem_together 1, @0,1', 'wait tmem_together'];

function* fillAll({ input, each, mmaOp }: Parts, output: OutputTilePipeline) {
  yield* each(function* () {
    using accumulator = yield* output.producer();
    using tiles = yield* input.consumer().acquire();
    product(mmaOp, tiles.payload().getTile(tiles.stage()), accumulator.tmem);
    mmaOp.commit(tiles.mbar());
  });
}

const MMA: Record<string, (parts: Parts) => ReturnType<typeof fillAll>> = {
  *'MmaWarpContext.create and enter'(parts) {
    const mmaCtx = yield* MmaWarpContext.create(parts.smem, parts.ctx.mmaCompleteMask);
    assert.equal(mmaCtx.deallocBarrier, parts.smem.tmemDealloc);
    using _life = mmaCtx.enter();
    if (parts.ctx.electOneCta) yield* fillAll(parts, mmaCtx.outputPipeline);
  },
  *'new MmaWarpContext'(parts) {
    const { smem, ctx } = parts;
    const { Tmem, Pipeline, Sync } = smem.types;
    const tmem = yield* Tmem.allocate(smem.tmemAddr);
    const output = new Pipeline(smem.accumBarriers, tmem, ctx.mmaCompleteMask);
    const mmaCtx = new MmaWarpContext(Sync, tmem, output, smem.tmemDealloc);
    assert.equal(mmaCtx.tmem, tmem);
    assert.deepEqual(output.mmaCompleteMask, ctx.mmaCompleteMask);
    using _life = mmaCtx.enter();
    if (ctx.electOneCta) yield* fillAll(parts, output);
  },
  *'MmaWarp.create and release'(parts) {
    const mmaWarp = yield* MmaWarp.create(parts.smem, parts.ctx.mmaCompleteMask);
    assert.equal(mmaWarp.tmem, mmaWarp.outputPipeline.tmem);
    if (parts.ctx.electOneCta) yield* fillAll(parts, mmaWarp.outputPipeline);
    mmaWarp.release();
  },
};

suite('the MMA warp allocates, publishes, gives up its permit, waits, frees', () => {
  for (const [name, mma] of Object.entries(MMA)) {
    for (const pair of [false, true]) {
      test(`${name}, ${pair ? 'a pair' : 'one CTA'}`, async () => {
        const living = oneCta({ mma, pair });
        const steps = stepsOf(living, pair ? 'mma@1' : 'mma');
        const begin = [...BEGIN.slice(0, 2), ...(pair ? OF_PAIR : []), ...BEGIN.slice(2)];
        assert.deepEqual(steps.slice(0, begin.length), begin);
        assert.deepEqual(steps.slice(-END.length), END);
        assert.equal((await check(living, { engine: 'certify' })).verdict, 'certified');
      });
    }
  }

  test('a context that is not entered signals nothing: the epilogue waits forever', async () => {
    const silent = oneCta({
      *mma({ smem, ctx }) {
        yield* MmaWarpContext.create(smem, ctx.mmaCompleteMask);
      },
    });
    assert.ok((await rulesOf(silent)).length > 0);
  });

  test('a handle that is not released keeps tensor memory', async () => {
    const leaking = oneCta({
      *mma(parts) {
        const mmaWarp = yield* MmaHandle.create(parts.smem, parts.ctx.mmaCompleteMask);
        yield* fillAll(parts, mmaWarp.outputPipeline);
      },
    });
    assert.ok((await rulesOf(leaking)).includes('tmem-not-relinquished'));
  });
});

suite('the epilogue reads the address when it is there, and signals when it is done', () => {
  for (const pair of [false, true]) {
    const done = [...(pair ? ['arrive tmem_dealloc 128, @0'] : []), 'arrive tmem_dealloc 128'];
    const role1 = pair ? 'epilogue@1' : 'epilogue';

    test(`EpilogueWarp.create and release, ${pair ? 'a pair' : 'one CTA'}`, async () => {
      const linear = oneCta({
        pair,
        *epilogue({ smem, ctx, each, drainAccumulator }) {
          const published = yield* smem.types.Sync.wait();
          const epiWarp = EpilogueWarp.create(smem, ctx.mmaCompleteMask, published);
          assert.equal(epiWarp.tmem, epiWarp.outputPipeline.tmem);
          yield* each(function* () {
            const stage = yield* epiWarp.acquireKStageLinear();
            yield* drainAccumulator(stage.outputStage);
            stage.release();
          });
          epiWarp.release();
        },
      });
      const steps = stepsOf(linear, role1);
      assert.deepEqual(steps.slice(0, 2), ['syncNamed', 'read tmem_addr']);
      assert.deepEqual(steps.slice(-done.length), done);
      assert.equal((await check(linear, { engine: 'certify' })).verdict, 'certified');
    });

    test(`EpilogueWarpContext by hand, ${pair ? 'a pair' : 'one CTA'}`, async () => {
      const byHand = oneCta({
        pair,
        *epilogue({ smem, ctx, each, drainAccumulator }) {
          const published = yield* smem.types.Sync.wait();
          const tmem = TmemAllocation.fromShared(smem.tmemAddr, published);
          const output = new OutputTilePipeline(smem.accumBarriers, tmem, ctx.mmaCompleteMask);
          const epiCtx = new EpilogueWarpContext(tmem, output, smem.tmemDealloc);
          assert.equal(epiCtx.deallocBarrier.ctaGroup, pair ? 2 : 1);
          using _done = epiCtx.enter();
          yield* each(function* () {
            using stage = yield* epiCtx.outputPipeline.consumer();
            yield* drainAccumulator(stage.outputStage);
          });
        },
      });
      assert.deepEqual(stepsOf(byHand, role1).slice(-done.length), done);
      assert.equal((await check(byHand, { engine: 'certify' })).verdict, 'certified');
    });
  }

  test('the handles of the kernels are the linear warps', () => {
    assert.equal(MmaHandle, MmaWarp);
    assert.equal(EpilogueHandle, EpilogueWarp);
  });
});

test('per-K accumulators of both linear warps', async () => {
  const perK = oneCta({
    extraInputArrivals: 4,
    *mma({ smem, ctx, each, input, mmaOp }) {
      const mmaWarp = yield* MmaWarp.create(smem, ctx.mmaCompleteMask);
      yield* each(function* () {
        using stage = yield* mmaWarp.perKStage();
        const tiles = yield* input.acquireConsumer();
        product(mmaOp, tiles.payload().getTile(tiles.stage()), stage.tmem);
        mmaOp.commit(tiles.mbar());
        tiles.release();
      });
      mmaWarp.release();
    },
    *epilogue({ smem, ctx, each, input }) {
      const epiWarp = EpilogueWarp.create(smem, ctx.mmaCompleteMask, yield* smem.types.Sync.wait());
      yield* each(function* () {
        using context = yield* epiWarp.perKStage(input.pipeline);
        context.kStage.arriveInput(4);
      });
      epiWarp.release();
    },
  });
  assert.deepEqual(await rulesOf(perK), []);
});

test('the dealloc barrier has one phase: signalSelf, signalPeer, wait', async () => {
  const shake = kernel('handshake', {}, () => {
    const dealloc = new TmemDeallocBarrier('dealloc', 2);
    const send = (cta: number) =>
      role(`epilogue${cta}`, { cta, lanes: 128 }, function* () {
        dealloc.signalPeer();
        dealloc.signalSelf();
      });
    const receive = (cta: number) =>
      role(`mma${cta}`, { cta, lanes: 32 }, function* () {
        yield* dealloc.wait();
      });
    return [receive(0), receive(1), send(0), send(1)];
  });
  // It is not initialized.
  assert.equal((await rulesOf(shake))[0], 'uninitialised-barrier');
});

test('tensor memory has 512 columns', async () => {
  const tooMany = kernel('too-many', {}, () => {
    const opc = { numStages: 4, stageStrideCols: 128, ctaGroup: 1 } as const;
    return [new TmemStorage('tmem', opc, [16])] as never;
  });
  await assert.rejects(check(tooMany), /tmem needs 528 columns of 512/);
});
