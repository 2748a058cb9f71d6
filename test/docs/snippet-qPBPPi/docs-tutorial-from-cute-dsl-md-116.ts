import { kernel, mma, role, tma } from 'poundlock';
import { PipelineTmaAsync } from 'poundlock/cute';

export default kernel('wrong-class', { kTiles: 3 }, ({ kTiles }) => {
  const [producer, consumer] = PipelineTmaAsync.create('ab', {
    numStages: 2,
    bytes: 16_384,
  }).makeParticipants();

  const load = role('tma', function* () {
    for (let k = 0; k < kTiles; k++) tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < kTiles; k++) {
      const ab = yield* consumer.waitAndAdvance();
      mma.issue(ab);
      ab.release(); // arrives while the tensor core reads the stage
    }
  });

  return [load, multiply];
});
