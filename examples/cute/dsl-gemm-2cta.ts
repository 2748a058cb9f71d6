// The GEMM of dsl-gemm on pairs of CTAs: both load, the leader multiplies for both, both store.
//
// Shows: the masks of CuTe DSL. The leader's acquire of `ab` expects the bytes of both CTAs, and
// both count them on the leader's barrier. A release of `ab` commits to the empty barriers of both; a
// commit of `acc` to the full barriers of both; every epilogue releases `acc` on the leader's barrier,
// so that its group counts twice.
// Unlike dsl-gemm, no store: and a peer that ends early is reached after its end, see
// broken/missing-tail.
//
//   role       waits for                     works on              signals
//   tma0, 1    ab.empty[stage], its own      copies of A and of B  ab.full[stage] of the leader
//   mma        ab.full[stage], acc.empty[…]  the tensor core       ab.empty, acc.full of both CTAs
//   epilogue   acc.full[stage], its own      the accumulator       acc.empty[stage] of the leader
import { count, end, kernel, loop, mma, read, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaUmma, PipelineUmmaAsync } from 'poundlock/cute';

const PAIR = [0, 1];
const WARPS = 4;

const defaults = { stages: 4, accStages: 2, kTiles: 4, tiles: 4 };

export default kernel('dsl-gemm-2cta', defaults, ({ stages, accStages, kTiles, tiles }) => {
  const ctaLayoutVmnk = [PAIR.length, 1, 1, 1] as const;
  const [abProducer, abConsumer] = PipelineTmaUmma.create('ab', {
    numStages: stages,
    bytes: { a: 16_384, b: 16_384 },
    txCount: 2 * 32_768,
    ctaLayoutVmnk,
  }).makeParticipants();
  const [accProducer, accConsumer] = PipelineUmmaAsync.create('acc', {
    numStages: accStages,
    consumerGroup: new CooperativeGroup(Agent.Thread, 2 * WARPS), // an elected lane of each warp
    ctaLayoutVmnk,
  }).makeParticipants();
  const items = count(tiles);

  const loads = PAIR.map((cta) =>
    role(`tma${cta}`, { cta, lanes: 32 }, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        for (let k = 0; k < kTiles; k++) {
          const handle = yield* abProducer.acquireAndAdvance(); // the leader expects 65,536 B
          tma.copy(handle, 0, { ctaGroup: 2 });
          tma.copy(handle, 1, { ctaGroup: 2 });
        }
        return null;
      });
      yield* abProducer.tail();
    }),
  );

  const multiply = role('mma', { lanes: 32 }, function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const acc = yield* accProducer.acquireAndAdvance();
      for (let k = 0; k < kTiles; k++) {
        const ab = yield* abConsumer.waitAndAdvance();
        mma.issue(ab, acc.buffers, { ctas: PAIR });
        ab.release();
      }
      acc.commit();
      return null;
    });
    yield* accProducer.tail();
  });

  const epilogues = PAIR.map((cta) =>
    role(`epilogue${cta}`, { cta, lanes: WARPS * 32 }, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        const acc = yield* accConsumer.waitAndAdvance();
        read(acc.buffer());
        acc.release({ lanes: WARPS });
        return null;
      });
    }),
  );

  return [...loads, multiply, ...epilogues];
});
