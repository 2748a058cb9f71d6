// Bug: the accumulator of a pair of CTAs is released by the epilogues of both, and the group counts
// those of one.
// On hardware: the leader's empty barrier completes a phase for either epilogue. The tensor core
// writes the next tile into both CTAs while the slower epilogue still reads, or the parity comes
// round and the MMA warp hangs.
// Fix: twice the warps, as the examples of the library count under use_2cta_instrs.
import { kernel, mma, read, role } from 'poundlock';
import { Agent, CooperativeGroup, PipelineUmmaAsync } from 'poundlock/cute';

export default kernel('pair-counted-once', { consumers: 4, tiles: 3 }, ({ consumers, tiles }) => {
  const [producer, consumer] = PipelineUmmaAsync.create('acc', {
    numStages: 1,
    consumerGroup: new CooperativeGroup(Agent.Thread, consumers),
    ctaLayoutVmnk: [2, 1, 1, 1],
  }).makeParticipants();

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* producer.acquireAndAdvance();
      mma.issue([], acc.buffers, { ctas: [0, 1] });
      acc.commit();
    }
    yield* producer.tail();
  });

  const epilogues = [0, 1].map((cta) =>
    role(`epilogue${cta}`, { cta, lanes: 128 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const acc = yield* consumer.waitAndAdvance();
        read(acc.buffer());
        acc.release({ lanes: 4 });
      }
    }),
  );

  return [multiply, ...epilogues];
});
