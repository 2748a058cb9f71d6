// Bug: the producer peeks once, before its loop, and acquires every stage with that answer.
// On hardware: a token of true skips the wait. It was true of the first stage; of the second lap's
// stages it is not, and the copy lands on tiles that are still read.
// Fix: peek at the next stage after each acquire, as the loops of the library do.
import { kernel, mma, role, tma } from 'poundlock';
import { PipelineTmaUmma } from 'poundlock/cute';

export default kernel('stale-peek', { tiles: 3 }, ({ tiles }) => {
  const [producer, consumer] = PipelineTmaUmma.create('ab', {
    numStages: 2,
    bytes: 16_384,
  }).makeParticipants();

  const load = role('load', function* () {
    const token = yield* producer.tryAcquire();
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance(token));
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
