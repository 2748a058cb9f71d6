// Bug: the pipeline is created with deferSync, but nothing syncs between its initialization and its
// first use.
// On hardware: the other warp may wait on a word that is no barrier yet. NVIDIA/Fuser issue 1552 is
// a hang of this kind.
// Fix: pipeline_init_arrive and pipeline_init_wait, here a named barrier.
import { kernel, mma, role, syncNamed, tma } from 'poundlock';
import { PipelineTmaUmma } from 'poundlock/cute';

export default kernel('late-init', { synced: false, tiles: 2 }, ({ synced, tiles }) => {
  const ab = PipelineTmaUmma.create('ab', { numStages: 2, bytes: 16_384, deferSync: true });
  const [producer, consumer] = ab.makeParticipants();

  const load = role('load', function* () {
    ab.init();
    if (synced) yield* syncNamed(1, 2);
    for (let tile = 0; tile < tiles; tile++) tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  });

  const multiply = role('mma', function* () {
    if (synced) yield* syncNamed(1, 2);
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance();
      mma.issue(handle);
      handle.release();
    }
  });

  return [load, multiply];
});
