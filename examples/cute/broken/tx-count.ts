// Bug: the pipeline expects the bytes of A, and the producer copies A and B.
// On hardware: the stage is full when either tile has landed; the tensor core reads the other one as
// it was a lap ago. No static check of a schedule sees how many bytes its copies bring.
// Fix: a txCount of both, which is what it is unless given.
import { kernel, mma, role, tma } from 'poundlock';
import { PipelineTmaUmma } from 'poundlock/cute';

export default kernel('tx-count', { txCount: 16_384, tiles: 3 }, ({ txCount, tiles }) => {
  const [producer, consumer] = PipelineTmaUmma.create('ab', {
    numStages: 2,
    bytes: { a: 16_384, b: 16_384 },
    txCount,
  }).makeParticipants();

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* producer.acquireAndAdvance();
      tma.copy(handle, 0);
      tma.copy(handle, 1);
    }
    yield* producer.tail();
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      mma.issue(handle);
      handle.release();
    }
  });

  return [load, multiply];
});
