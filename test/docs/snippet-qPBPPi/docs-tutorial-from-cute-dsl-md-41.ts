import { kernel, mma, read, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaUmma, PipelineUmmaAsync } from 'poundlock/cute';

export default kernel('dsl-gemm', { tiles: 3, kTiles: 4 }, ({ tiles, kTiles }) => {
  const [abProducer, abConsumer] = PipelineTmaUmma.create('ab', {
    numStages: 4,
    bytes: { a: 16_384, b: 16_384 }, // tx_count, one entry for each copy
  }).makeParticipants();
  const [accProducer, accConsumer] = PipelineUmmaAsync.create('acc', {
    numStages: 2,
    consumerGroup: new CooperativeGroup(Agent.Thread, 4), // one elected lane of each of four warps
  }).makeParticipants();

  const load = role('tma', { lanes: 32 }, function* () {
    for (let k = 0; k < tiles * kTiles; k++) {
      const ab = yield* abProducer.acquireAndAdvance(); // an elected lane expects the bytes
      tma.copy(ab, 0);
      tma.copy(ab, 1);
    }
    yield* abProducer.tail();
  });

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* accProducer.acquireAndAdvance();
      for (let k = 0; k < kTiles; k++) {
        const ab = yield* abConsumer.waitAndAdvance();
        mma.issue(ab, acc.buffers); // reads both operands, writes the accumulator
        ab.release(); // tcgen05.commit: the stage is empty when the MMA is done
      }
      acc.commit();
    }
    yield* accProducer.tail();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* accConsumer.waitAndAdvance();
      read(acc.buffer()); // tcgen05.ld, and the wait for it
      acc.release({ lanes: 4 }); // with elect_one(): acc.release()
    }
  });

  return [load, multiply, epilogue];
});
