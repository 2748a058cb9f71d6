import { kernel, read, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaAsync } from 'poundlock/cute';

export default kernel('cute-dsl', { tiles: 5 }, ({ tiles }) => {
  const [producer, consumer] = PipelineTmaAsync.create('ab', {
    numStages: 2,
    bytes: 16_384,
    consumerGroup: new CooperativeGroup(Agent.Thread, 1), // one lane of the one warp
  }).makeParticipants();
  const load = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* producer.acquireAndAdvance(); // an elected lane expects the bytes
      tma.copy(handle); // cute.copy(…, tma_bar_ptr=handle.barrier)
    }
    yield* producer.tail();
  });
  const use = role('use', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      handle.release();
    }
  });
  return [load, use];
});
