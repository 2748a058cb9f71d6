// Bug: the epilogue frees the accumulator after its last read, and mma frees it as well.
// On hardware: after the first free the columns can belong to another CTA. The second one takes them
// from it, and a third CTA overwrites its accumulator.
// Fix: one role frees, here mma, after the epilogue has signaled its last read.
import {
  UNITS,
  alloc,
  arrive,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  pool,
  read,
  relinquish,
  role,
  wait,
} from 'poundlock';

export default kernel('tmem-double-free', { epilogueFrees: true }, ({ epilogueFrees }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const complete = barrier('complete');
  const drained = barrier('drained');

  const multiply = role('mma', function* () {
    const accumulator = yield* alloc(tmem, 256);
    relinquish(tmem);
    asyncUse(UNITS.mma, { writes: [accumulator] });
    commit(UNITS.mma, complete);
    yield* wait(drained, 0);
    free(accumulator);
  });

  const epilogue = role('epilogue', function* () {
    yield* wait(complete, 0);
    read(tmem.buffers[0]!);
    if (epilogueFrees) free(tmem.buffers[0]!);
    arrive(drained);
  });

  return [multiply, epilogue];
});
