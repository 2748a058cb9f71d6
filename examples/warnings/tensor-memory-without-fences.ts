// Warning (--memory isa): the epilogue loads the accumulator from tensor memory, and no fence of
// tcgen05 is around the barriers between it and the MMA.
// On hardware: the ISA promises the order of tensor memory with tcgen05.fence alone. All of
// CUTLASS's C++ kernels do without and work, so that the default profile counts it as practice H3.
// Fix: tcgen05.fence::after_thread_sync after each wait, and before_thread_sync before the arrival.
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

export default kernel(
  'tensor-memory-without-fences',
  { tiles: 2, fenced: false },
  ({ tiles, fenced }) => {
    const acc = buffer('acc', { space: 'tmem' });
    const full = barrier('full');
    const empty = barrier('empty');

    const multiply = role('mma', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(empty, tile - 1);
        if (fenced) fence('tcgen05.after');
        asyncUse(UNITS.tcgen05, { writes: [acc] });
        commit(UNITS.tcgen05, full);
      }
    });

    const epilogue = role('epilogue', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(full, tile);
        if (fenced) fence('tcgen05.after');
        asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
        if (fenced) fence('tcgen05.before');
        arrive(empty);
      }
    });

    return [multiply, epilogue];
  },
);
