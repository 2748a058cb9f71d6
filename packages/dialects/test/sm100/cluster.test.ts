// tier: deep
// Clusters, tiles and barriers: who leads, who loads what for whom, and how many arrivals that makes.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import { kernel, role, syncCluster, type Kernel } from 'poundlock';
import {
  BlockScaledTilePayload,
  BlockwiseFP8TilePayload,
  clusterOf,
  EpiLoadPipeline,
  leaderOf,
  LoadOrderBarrier,
  StandardTilePayload,
  tileArray,
  TileLoader,
  TileWriter,
  WarpGroupBarrier,
  WARP_SIZE,
} from '@poundlock/dialects/sm100';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { EpilogueWarpContext } from '@poundlock/dialects/sm100';
import { oneCta } from './one-cta.ts';
import { stepsOf } from './steps.ts';

suite('a cluster of 4 × 2 CTAs in pairs', () => {
  const cluster = clusterOf({ m: 4, n: 2, ctaGroup: 2 });

  test('the even CTA of a pair leads', () => {
    assert.deepEqual(
      cluster.map((ctx) => ctx.electOneCta),
      [true, false, true, false, true, false, true, false],
    );
    assert.deepEqual(
      cluster.map((ctx) => ctx.peerCta),
      [1, 0, 3, 2, 5, 4, 7, 6],
    );
    assert.deepEqual([leaderOf(5, 2), leaderOf(5, 1)], [4, 5]);
    assert.deepEqual(
      cluster.filter((ctx) => ctx.isFirstCtaInCluster).map(({ cta }) => cta),
      [0],
    );
  });

  test('A goes along the row, B to the same half of the column, results to the pair', () => {
    assert.deepEqual(cluster[6]!.aMulticastMask, [2, 6]);
    assert.deepEqual(cluster[6]!.bMulticastMask, [4, 6]);
    assert.deepEqual(cluster[7]!.bMulticastMask, [5, 7]);
    assert.deepEqual(cluster[6]!.mmaCompleteMask, [6, 7]);
    assert.deepEqual(cluster[6]!.peerCtaCoord, [0, 1, 1]);
    assert.deepEqual(cluster[7]!.peerCtaCoord, [1, 1, 1]);
  });

  test('a commit frees a stage in as many CTAs as it expects commits', () => {
    for (const ctx of cluster) {
      const commits = cluster.filter((other) => {
        return other.electOneCta && other.inputMask.includes(ctx.cta);
      });
      assert.equal(commits.length, ctx.inputConsumers);
      assert.equal(ctx.inputConsumers, 4 / 2 + 2 - 1);
    }
    assert.deepEqual(cluster[0]!.slices, { a: 2, b: 2 });
  });

  test('a shape that pairs do not fit is refused', async () => {
    const odd = kernel('odd', {}, () => clusterOf({ m: 3, n: 1, ctaGroup: 2 }) as never);
    await assert.rejects(check(odd), /a ctaGroup of 2 does not fit 3 CTAs along M/);
  });
});

test('payloads know their tiles by stage and k index, with their bytes', async () => {
  const declares = kernel('payloads', {}, () => {
    const slices = { a: 2, b: 1 };
    const standard = new StandardTilePayload({ a: [128, 64], b: [64, 64], stages: 4, slices });
    assert.equal(standard.bytes, (128 + 64) * 64 * 2);
    const [a, b] = standard.getTile(1, 1, 2);
    assert.deepEqual([a, b], [standard.getATile(3), standard.getBTile(3)]);
    assert.deepEqual(
      a.slices.map(({ name }) => name),
      ['a_tiles[3].0', 'a_tiles[3].1'],
    );
    return [role('empty', function* () {})];
  });
  assert.equal((await check(declares)).verdict, 'certified');
  const scaled = kernel('scaled', {}, () => {
    const shapes = { a: [128, 128], b: [64, 128], sfa: [128, 4], sfb: [64, 4], stages: 2 } as const;
    const payload = new BlockScaledTilePayload(shapes);
    assert.equal(payload.bytes, (128 + 64) * 128 + (128 + 64) * 4);
    assert.deepEqual(payload.getTile(1), [
      payload.getATile(1),
      payload.getBTile(1),
      payload.getSfaTile(1),
      payload.getSfbTile(1),
    ]);
    return [role('empty', function* () {})];
  });
  assert.equal((await check(scaled)).verdict, 'certified');
  const fp8 = kernel('fp8', {}, () => {
    const shapes = { a: [128, 128], b: [64, 128], aScales: [1, 128], stages: 2 } as const;
    const payload = new BlockwiseFP8TilePayload(shapes);
    assert.equal(payload.bytes, (128 + 64) * 128 + 128 * 4);
    const scales = payload.getAScalesTile(1);
    assert.deepEqual(payload.getTile(1), [payload.getATile(1), payload.getBTile(1), scales]);
    return [role('empty', function* () {})];
  });
  assert.equal((await check(fp8)).verdict, 'certified');
});

test('a loader brings its slice of a tile to every CTA of its mask, on the leader barrier', () => {
  const loads = kernel('loads', {}, () => {
    const [ctx] = clusterOf({ m: 2, n: 1, ctaGroup: 2 });
    const [tile] = tileArray('tile', { shape: [8, 8], elementBytes: 2, count: 1, slices: 2 });
    const writer = new EpiLoadPipeline('epi', [tile!]);
    return [
      role('load', { cta: 1 }, function* () {
        const bar = writer.pipeline.producerMbar(0);
        yield* syncCluster();
        new TileLoader(ctx!.mmaCompleteMask, 2, 1).load(tile!, bar);
      }),
      role('leader', { cta: 0 }, function* () {
        writer.initBarriers();
        yield* syncCluster();
      }),
    ];
  });
  assert.deepEqual(stepsOf(loads, 'load'), ['asyncCopy epi.full 64 B, @0,0, to 2 CTAs']);
});

function handsOver(tiles: number): Kernel {
  return kernel('hands-over', {}, () => {
    const order = new LoadOrderBarrier('order');
    return [
      role('load', function* () {
        order.initBarrier();
        yield* syncCluster();
        for (let tile = 0; tile < tiles; tile++) order.arriveAndStep();
      }),
      role('epilogue_load', function* () {
        yield* syncCluster();
        for (let tile = 0; tile < tiles; tile++) yield* order.waitAndStep();
      }),
    ];
  });
}

test('LoadOrderBarrier: one arrival for each tile, and no way back', async () => {
  assert.deepEqual(stepsOf(handsOver(1), 'load'), [
    'arrive order.full 1',
    'step order as consumer',
  ]);
  assert.deepEqual(await rulesOf(handsOver(1)), []);
  assert.equal((await rulesOf(handsOver(2)))[0], 'false-block');
});

test('WarpGroupBarrier: arrive goes on; wait and sync are one instruction', async () => {
  const meet = (second: 'wait' | 'sync') =>
    kernel('meet', {}, () => {
      const barrier = new WarpGroupBarrier(160, 1);
      return [
        role('mma', { lanes: 32 }, function* () {
          barrier.arrive();
        }),
        role('epilogue', { lanes: 128 }, function* () {
          yield* barrier[second]();
        }),
      ];
    });
  for (const second of ['wait', 'sync'] as const) {
    assert.deepEqual(stepsOf(meet(second), 'epilogue'), ['syncNamed']);
    assert.deepEqual(await rulesOf(meet(second)), []);
  }
});

test('EpiLoadPipeline: bytes fill a stage, every epilogue thread empties it', async () => {
  const residual = kernel('residual', {}, () => {
    const tiles = tileArray('src', { shape: [8, 8], elementBytes: 2, count: 2 });
    const pipeline = new EpiLoadPipeline('epi', tiles);
    return [
      role('epilogue_load', { lanes: WARP_SIZE }, function* () {
        pipeline.initBarriers();
        yield* syncCluster();
        for (let at = 0; at < 3; at++) yield* pipeline.load();
      }),
      role('epilogue', { lanes: 4 * WARP_SIZE }, function* () {
        yield* syncCluster();
        for (let at = 0; at < 3; at++) pipeline.release(yield* pipeline.waitProducer());
      }),
    ];
  });
  assert.deepEqual(stepsOf(residual, 'epilogue_load').slice(0, 5), [
    'waitStage epi as producer',
    'stage',
    'arrive epi.full 1, 128 B',
    'asyncCopy epi.full 128 B',
    'step epi as producer',
  ]);
  assert.deepEqual(stepsOf(residual, 'epilogue').slice(0, 3), [
    'waitStage epi as consumer',
    'arrive epi.empty 128',
    'step epi as consumer',
  ]);
  assert.deepEqual(await rulesOf(residual), []);
});

test('a writer frees the accumulator after its last load, long before the tile is stored', async () => {
  const writers = new Map<object, TileWriter>();
  const writes = oneCta({
    items: 3,
    declare(smem) {
      writers.set(smem, new TileWriter('c_tiles', 2));
    },
    *epilogue({ smem, ctx, each }) {
      const writer = writers.get(smem)!;
      const published = yield* smem.types.Sync.wait();
      const epiCtx = EpilogueWarpContext.create(smem, ctx.mmaCompleteMask, published);
      using _done = epiCtx.enter();
      yield* each(function* () {
        using output = yield* epiCtx.outputPipeline.consumer();
        yield* writer.write(output.outputStage);
      });
      yield* writer.writeRegisters();
    },
  });
  const steps = stepsOf(writes, 'epilogue');
  const first = steps.indexOf('waitStage accum as consumer');
  const freed = steps.indexOf('arrive accum.empty 128');
  const stepped = steps.indexOf('step accum as consumer');
  assert.deepEqual(steps.slice(first + 1, first + 5), [
    'asyncUse tmem_fragments',
    'asyncUse tmem_fragments',
    'waitGroup tcgen05.ld 0',
    'read tmem_fragments',
  ]);
  assert.equal(
    steps.slice(first, freed).filter((step) => step.startsWith('waitGroup tc')).length,
    2,
  );
  assert.equal(steps.slice(freed, stepped).filter((step) => step === 'asyncUse c_tiles').length, 1);
  assert.deepEqual(await rulesOf(writes), []);
});
