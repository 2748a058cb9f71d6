// Bug: a clone of the producer fills the first stages, and the loop goes on with the producer itself.
// On hardware: a clone has a state of its own. The producer still stands at the first stage, waits
// for it with the phase of the first lap, and fills it again while it is read.
// Fix: go on with the clone.
import { integer, kernel, read, role, tma } from 'poundlock';
import { PipelineTmaAsync } from 'poundlock/cute';

export default kernel(
  'cloned-producer',
  { goesOn: false, tiles: integer(3, { min: 2 }) },
  ({ goesOn, tiles }) => {
    const [producer, consumer] = PipelineTmaAsync.create('ab', {
      numStages: 2,
      bytes: 16_384,
    }).makeParticipants();
    const prefetch = producer.clone();

    const load = role('load', function* () {
      for (let tile = 0; tile < 2; tile++) tma.copy(yield* prefetch.acquireAndAdvance());
      const rest = goesOn ? prefetch : producer;
      for (let tile = 2; tile < tiles; tile++) tma.copy(yield* rest.acquireAndAdvance());
      yield* rest.tail();
    });

    const math = role('math', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const handle = yield* consumer.waitAndAdvance();
        read(handle.buffer());
        handle.release();
      }
    });

    return [load, math];
  },
);
