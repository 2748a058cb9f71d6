// tensor-core: a wgmma main loop that releases stages at once or hand over hand, as measured.
//
// Shows: a tensor core that reads a stage after its issue, for every row of tensor_core.csv:
//   poundlock simulate examples/h200/tensor-core.ts --model h200 --cases bench/h200/tensor_core.csv
// Unlike the other h200 programs, work is asynchronous: with `order` scoped a stage is released
// when its own work is done, with `order` linear one round later, while the next work runs.
//
//   role         waits for                works on               signals
//   producer     ab.empty[stage]          copies an A tile per   ab.full[stage], by the bytes
//                                         warpgroup and a B tile
//   warpgroup<w> ab.full[stage], then     4 wgmma of m64nNk16    ab.empty of this stage, or of
//                its groups of work                              the one before
import { asyncUse, buffer, count, end, kernel, launch, loop, mma, pipeline, role } from 'poundlock';
import { tma, UNITS, type Buffer, type ConsumerStage } from 'poundlock';
import { sharedFor } from './shared-for.ts';

/** A k-block of 64 is four wgmma of m64nNk16, each of which takes N / 2 cycles. */
const WGMMAS = 4;
/** 64 rows or columns of 64 elements of 2 bytes. */
const A_TILE_BYTES = 8192;
const B_ROW_BYTES = 128;
/** Threads of a warpgroup, which all wait and all release. */
const LANES = 128;

const defaults = {
  source: 'l2',
  ctas: 1,
  warpgroups: 2,
  mmaN: 128,
  stages: 4,
  kBlocks: 256,
  order: 'linear',
  perSm: 1,
};

export default kernel('tensor-core', defaults, (params) => {
  const { source, ctas, warpgroups, mmaN, stages, order, perSm } = params;
  launch({ ctas, source });
  const rows = Array.from({ length: warpgroups }, (_, w) => [`a${w}`, A_TILE_BYTES] as const);
  const bytes = Object.fromEntries([...rows, ['b', mmaN * B_ROW_BYTES]]);
  const ab = pipeline('ab', { stages, bytes, consumers: warpgroups * LANES, advance: 'acquire' });
  const stageBytes = warpgroups * A_TILE_BYTES + mmaN * B_ROW_BYTES;
  if (perSm > 1) buffer('unused', { bytes: sharedFor(perSm) - stages * stageBytes });
  const blocks = count(params.kBlocks);
  const multiply = (tile: { readonly buffers: readonly Buffer[] }) => {
    const { buffers: reads } = tile;
    for (let i = 0; i < WGMMAS; i++) asyncUse(UNITS.mma, { reads, cycles: mmaN / 2 });
    mma.commitGroup();
  };

  const producer = role('producer', function* () {
    yield* loop(null, function* () {
      if (!(yield* blocks.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const scoped = function* () {
    yield* loop(null, function* () {
      if (!(yield* blocks.more())) return end(null);
      using tile = yield* ab.consume();
      multiply(tile);
      yield* mma.waitGroup(0);
      return null;
    });
  };

  const linear = function* () {
    const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* blocks.more())) return end(previous);
      const tile = yield* ab.acquireConsumer();
      multiply(tile);
      yield* mma.waitGroup(1);
      previous?.release();
      return tile;
    });
    yield* mma.waitGroup(0);
    last?.release();
  };

  const warpgroup = (w: number) =>
    role(
      `warpgroup${w}`,
      { measured: w === 0, lanes: LANES },
      order === 'linear' ? linear : scoped,
    );

  return [producer, ...Array.from({ length: warpgroups }, (_, w) => warpgroup(w))];
});
