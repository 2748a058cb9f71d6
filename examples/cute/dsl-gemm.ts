// A persistent SM100 GEMM in the words of CuTe DSL: a TMA warp, an MMA warp and four epilogue warps.
//
// Shows: the participants keep their states, and their handles signal their own stage. An acquire of
// `ab` expects the bytes; a release of it is a commit of the tensor core; a commit of `acc` is one,
// too; a release of `acc` is one arrival of each thread that calls it: here one elected lane of each
// of the four warps, which is what `consumerGroup` has to say.
// Unlike cutlass-ping-pong, the program stores no phase bit.
//
//   role      waits for          works on             signals
//   tma       ab.empty[stage]    TMA copies of A, B   ab.full[stage], by their bytes
//   mma       ab.full[stage],    the tensor core      ab.empty[stage] and acc.full[stage], by commits
//             acc.empty[stage]
//   epilogue  acc.full[stage]    the accumulator      acc.empty[stage], by four lanes
import { count, end, fence, kernel, loop, mma, read, role, tma, write } from 'poundlock';
import { buffer } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaStore } from 'poundlock/cute';
import { PipelineTmaUmma, PipelineUmmaAsync } from 'poundlock/cute';

const defaults = { stages: 4, accStages: 2, cStages: 2, kTiles: 4, tiles: 4 };

export default kernel('dsl-gemm', defaults, ({ stages, accStages, cStages, kTiles, tiles }) => {
  const [abProducer, abConsumer] = PipelineTmaUmma.create('ab', {
    numStages: stages,
    bytes: { a: 16_384, b: 16_384 },
  }).makeParticipants();
  const [accProducer, accConsumer] = PipelineUmmaAsync.create('acc', {
    numStages: accStages,
    consumerGroup: new CooperativeGroup(Agent.Thread, 4), // one elected lane of each warp
  }).makeParticipants();
  const c = PipelineTmaStore.create({ numStages: cStages });
  const sC = Array.from({ length: cStages }, (_, stage) => buffer(`c[${stage}]`));
  const items = count(tiles);

  const load = role('tma', { lanes: 32 }, function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      for (let k = 0; k < kTiles; k++) {
        const handle = yield* abProducer.acquireAndAdvance(); // expects 32,768 B
        tma.copy(handle, 0);
        tma.copy(handle, 1);
      }
      return null;
    });
    yield* abProducer.tail();
  });

  const multiply = role('mma', { lanes: 32 }, function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const acc = yield* accProducer.acquireAndAdvance();
      for (let k = 0; k < kTiles; k++) {
        const ab = yield* abConsumer.waitAndAdvance();
        mma.issue(ab, acc.buffers);
        ab.release(); // a commit: the stage is empty when the tensor core has read it
      }
      acc.commit();
      return null;
    });
    yield* accProducer.tail();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    yield* loop(0, function* (stage) {
      if (!(yield* items.more())) return end(0);
      const acc = yield* accConsumer.waitAndAdvance();
      read(acc.buffer());
      acc.release({ lanes: 4 });
      const out = sC[stage]!;
      write(out);
      fence('proxy.async', { space: 'shared' });
      c.store([out]);
      c.producerCommit();
      yield* c.producerAcquire(); // the buffer that comes next has been read
      return (stage + 1) % cStages;
    });
    yield* c.producerTail();
  });

  return [load, multiply, epilogue];
});
