// Bug: the consumer group counts the 128 threads of four warps, but only one lane of each warp
// arrives on a release of a PipelineTmaAsync.
// On hardware: four of 128 arrivals come, no stage is ever empty again, and the producer hangs as
// it comes back to the first one. It is the question of NVIDIA/cutlass issue 2404.
// Fix: a group of four, or enableMulticastSignaling, which computes the count from the threads.
import { kernel, read, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaAsync } from 'poundlock/cute';

export default kernel('group-of-threads', { consumers: 128, tiles: 3 }, ({ consumers, tiles }) => {
  const [producer, consumer] = PipelineTmaAsync.create('ab', {
    numStages: 2,
    bytes: 16_384,
    consumerGroup: new CooperativeGroup(Agent.Thread, consumers),
  }).makeParticipants();

  const load = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  });

  const math = role('math', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      handle.release();
    }
  });

  return [load, math];
});
