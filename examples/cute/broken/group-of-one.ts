// Bug: the consumer group is left at one thread, and four warps release: four arrivals for one.
// On hardware: the barrier completes four phases at a release, its parity ends where it was, and
// the producer waits for ever or fills a stage that is being read. NVIDIA/cutlass issue 2404 begins
// with this group.
// Fix: a group of four, one lane of each warp.
import { kernel, read, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaAsync } from 'poundlock/cute';

export default kernel('group-of-one', { consumers: 1, tiles: 3 }, ({ consumers, tiles }) => {
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
