// Bug: the consumer waits and advances, and then releases through the consumer instead of the handle:
// that is the stage it stands at, one further on.
// On hardware: consumer.release() without a handle takes the consumer's own state. It belongs to
// wait(), which does not advance; after wait_and_advance() it releases a stage that was not read.
// Fix: handle.release().
import { kernel, read, role, tma } from 'poundlock';
import { PipelineTmaAsync } from 'poundlock/cute';

export default kernel('release-without-handle', { tiles: 3 }, ({ tiles }) => {
  const [producer, consumer] = PipelineTmaAsync.create('ab', {
    numStages: 2,
    bytes: 16_384,
  }).makeParticipants();

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      yield* consumer.release();
    }
  });

  return [load, math];
});
