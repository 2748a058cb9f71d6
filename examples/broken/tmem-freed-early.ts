// Bug: the mma role frees its TMEM when its last MMA is done, while the epilogue still reads it.
// On hardware: the next CTA on the SM allocates the columns and overwrites the accumulator; the
// epilogue stores what it finds there.
// Fix: the epilogue arrives on a barrier after its last read, and mma waits for it before free.
import {
  UNITS,
  alloc,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  pool,
  read,
  role,
  wait,
} from 'poundlock';

export default kernel('tmem-freed-early', { columns: 512 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const complete = barrier('complete');

  const multiply = role('mma', function* () {
    const accumulator = yield* alloc(tmem, columns);
    asyncUse(UNITS.mma, { writes: [accumulator] });
    commit(UNITS.mma, complete);
    yield* wait(complete, 0);
    free(accumulator);
  });

  const epilogue = role('epilogue', function* () {
    yield* wait(complete, 0);
    read(tmem.buffers[0]!);
  });

  return [multiply, epilogue];
});
