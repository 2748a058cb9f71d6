// Without a tile of keys, nothing orders the epilogue's read of the tensor memory address after the
// MMA warp has written it.
// The word in shared memory becomes visible by the way, with the barriers of the first tile. A CTA
// whose work has no keys passes none of them: the epilogue deallocates an address that may not be
// there yet.
// The fix: allocate, and free, only if the CTA has a tile of keys.
// https://github.com/NVIDIA/cutlass/pull/2835
import {
  alloc,
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  free,
  kernel,
  pool,
  read,
  relinquish,
  role,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

export default kernel('fmha-decode', { fixed: false, tiles: 0 }, ({ fixed, tiles }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [accumulator] = tmem.buffers;
  const address = buffer('address of tmem');
  const [full, empty] = [barrier('full'), barrier('empty')];
  const allocates = fixed ? tiles > 0 : true;

  const mma = role('mma', { lanes: 32 }, function* () {
    if (allocates) {
      yield* alloc(tmem, 512);
      write(address);
      relinquish(tmem);
    }
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      asyncUse(UNITS.tcgen05, { writes: [accumulator!] });
      commit(UNITS.tcgen05, full);
    }
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full, tile);
      if (tile === 0) read(address);
      asyncUse(UNITS.tcgen05Ld, { reads: [accumulator!] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      arrive(empty);
    }
    if (!allocates) return;
    read(address);
    free(accumulator!);
  });

  return [mma, epilogue];
});
