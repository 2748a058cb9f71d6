// Suspect: with MMA_N below 64, the MMA warp frees a slot of scale factors of B by a plain arrive
// right after it has *issued* the MMA that reads them from tensor memory.
// Why: the warps that copy the next scale factors into the same columns of tensor memory take the
// arrive for the end of that MMA. It may not have begun. How far tcgen05.mma reads ahead hides it.
// Only part of that kernel was read; an edge that is missing here may be in the rest of it.
// Fix: let the tensor core free the slot when it is done, `--set frees=commit`.
//
//   role        waits for             signals
//   sfb_load    sfb.empty[s]          sfb.full[s], every thread, with the columns in tensor memory
//   mma         sfb.full[s]           sfb.empty[s]
import { arrive, count, end, kernel, loop, pipeline, pool, alloc, free } from 'poundlock';
import { mma as tensorCore, relinquish, role, write, wait, barrier } from 'poundlock';
import { asyncUse, UNITS } from 'poundlock';

const SFB_THREADS = 128;
const defaults = { stages: 2, kIters: 3, frees: 'arrive' };

export default kernel('sfb-war', defaults, ({ stages, kIters, frees }) => {
  const sfb = pipeline('sfb', { stages, producers: SFB_THREADS, consumers: 1 });
  const tmem = pool('tmem', { capacity: 512, buffers: stages });
  const allocated = barrier('allocated');
  const done = barrier('done', { count: SFB_THREADS });
  const steps = count(kIters);

  const sfbLoad = role('sfb_load', { lanes: SFB_THREADS }, function* () {
    yield* wait(allocated, 0);
    yield* loop(null, function* () {
      if (!(yield* steps.more())) return end(null);
      const stage = yield* sfb.waitConsumer();
      write(tmem.buffers[stage]!); // shared memory to tensor memory
      arrive(sfb.producerMbar(stage), { everyLane: true });
      sfb.producerStep();
      return null;
    });
    arrive(done, { everyLane: true });
  });

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let stage = 0; stage < stages; stage++) yield* alloc(tmem, 4);
    relinquish(tmem);
    arrive(allocated);
    yield* loop(null, function* () {
      if (!(yield* steps.more())) return end(null);
      const stage = yield* sfb.waitProducer();
      asyncUse(UNITS.mma, { reads: [tmem.buffers[stage]!], group: true });
      if (frees === 'commit') tensorCore.commit(sfb.consumerMbar(stage));
      else arrive(sfb.consumerMbar(stage)); // says that the MMA was issued, and no more
      sfb.consumerStep();
      return null;
    });
    yield* wait(done, 0);
    yield* tensorCore.waitGroup(0);
    for (let stage = 0; stage < stages; stage++) free(tmem.buffers[stage]!);
  });

  return [sfbLoad, multiply];
});
