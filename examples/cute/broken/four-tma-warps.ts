// Bug: four warps acquire a stage, and each elects a lane that expects the bytes; the group counts one.
// On hardware: the acquire of a CuTe DSL TMA pipeline is guarded by elect_one, which elects a lane of
// each warp. Four arrivals come for one, before any of the bytes.
// Fix: one warp produces; or a group of four, of which each brings its share of the bytes.
import { kernel, read, role, tma } from 'poundlock';
import { PipelineTmaAsync } from 'poundlock/cute';

export default kernel('four-tma-warps', { threads: 128, tiles: 2 }, ({ threads, tiles }) => {
  const [producer, consumer] = PipelineTmaAsync.create('ab', {
    numStages: 2,
    bytes: 16_384,
  }).makeParticipants();

  const load = role('load', { lanes: threads }, function* () {
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      read(handle.buffer());
      handle.release();
    }
  });

  return [load, math];
});
