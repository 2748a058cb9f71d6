// Bug: mma announces its TMEM address to 160 threads, and the epilogue waits for 128 of them.
// On hardware: bar.sync and bar.arrive with two counts on one barrier are undefined. The epilogue
// meets itself and reads an address that is not there yet, or both hang.
// Fix: both say 160: the 32 threads of mma and the 128 of the epilogue.
import {
  alloc,
  arriveNamed,
  cell,
  free,
  kernel,
  load,
  pool,
  relinquish,
  role,
  store,
  syncNamed,
} from 'poundlock';

const ADDRESS_READY = 1;

export default kernel('named-barrier-count', { threads: 128 }, ({ threads }) => {
  const tmem = pool('tmem', { capacity: 512 });
  const address = cell('address');

  const multiply = role('mma', { lanes: 32 }, function* () {
    const accumulator = yield* alloc(tmem, 512);
    relinquish(tmem);
    store(address, tmem.buffers.indexOf(accumulator));
    arriveNamed(ADDRESS_READY, 160);
    free(accumulator);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    yield* syncNamed(ADDRESS_READY, threads);
    yield* load(address);
  });

  return [multiply, epilogue];
});
