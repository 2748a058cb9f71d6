// Bug: the MMA warp never commits its accumulator.
// On hardware: a commit of a TMA producer does nothing and is often left out; that of a UMMA producer
// is the signal. The epilogue waits for ever.
// Fix: acc.commit() after the last MMA of the tile.
import { kernel, mma, read, role } from 'poundlock';
import { PipelineUmmaAsync } from 'poundlock/cute';

export default kernel('uncommitted', { tiles: 2 }, ({ tiles }) => {
  const [producer, consumer] = PipelineUmmaAsync.create('acc', {
    numStages: 2,
  }).makeParticipants();

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* producer.acquireAndAdvance();
      mma.issue([], acc.buffers);
    }
  });

  const epilogue = role('epilogue', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const acc = yield* consumer.waitAndAdvance();
      read(acc.buffer());
      acc.release();
    }
  });

  return [multiply, epilogue];
});
