// Bug: the tensor core reads the stages, and the pipeline is one for threads: a release arrives at
// once, where a commit would arrive when the work is done.
// On hardware: both kinds take one arrival here, so the counts agree and nothing hangs. The copy of
// the next lap lands on a tile that the tensor core still reads.
// Fix: PipelineTmaUmma.
import { kernel, mma, role, tma } from 'poundlock';
import { PipelineTmaAsync, PipelineTmaUmma } from 'poundlock/cute';

export default kernel('wrong-kind', { umma: false, tiles: 3 }, ({ umma, tiles }) => {
  const Kind = umma ? PipelineTmaUmma : PipelineTmaAsync;
  const [producer, consumer] = Kind.create('ab', {
    numStages: 2,
    bytes: 16_384,
  }).makeParticipants();

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance());
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
