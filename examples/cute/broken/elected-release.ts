// Bug: an epilogue of 128 threads releases the accumulator under elect_one, but its group counts
// every thread.
// On hardware: a release of a PipelineUmmaAsync is an arrival of each thread that calls it. Four
// elected lanes do not make 128, so the MMA warp hangs as it comes back to the first accumulator.
// Fix: a group of four, or a release by every thread.
import { kernel, mma, read, role } from 'poundlock';
import { Agent, CooperativeGroup, PipelineUmmaAsync } from 'poundlock/cute';

export default kernel('elected-release', { lanes: 4, tiles: 2 }, ({ lanes, tiles }) => {
  const [producer, consumer] = PipelineUmmaAsync.create('acc', {
    numStages: 1,
    consumerGroup: new CooperativeGroup(Agent.Thread, 128),
  }).makeParticipants();

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* producer.acquireAndAdvance();
      mma.issue([], acc.buffers);
      acc.commit();
    }
    yield* producer.tail();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* consumer.waitAndAdvance();
      read(acc.buffer());
      acc.release({ lanes });
    }
  });

  return [multiply, epilogue];
});
