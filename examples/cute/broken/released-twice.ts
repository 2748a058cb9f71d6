// Bug: a handle is released as soon as its tile was read, and once more at the end of the round.
// On hardware: handles can be copied and released as often as one likes. The second arrival frees
// the stage a lap early, or traps.
// Fix: one release for each handle.
import { kernel, read, role, tma } from 'poundlock';
import { PipelineTmaAsync } from 'poundlock/cute';

export default kernel('released-twice', { tiles: 3 }, ({ tiles }) => {
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
      handle.release();
      handle.release();
    }
  });

  return [load, math];
});
