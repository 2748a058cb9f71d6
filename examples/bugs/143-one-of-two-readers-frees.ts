// Two warps read the metadata of a tile, and the barrier that frees its slot counts one of them.
// The fix: it counts both.
// https://github.com/mlc-ai/TIRx-kernels/pull/202
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('metadata', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const slot = buffer('metadata', { bytes: 64 });
  const full = barrier('full');
  const empty = barrier('empty', { count: fixed ? 2 : 1 });
  const reader = (name: string, frees: boolean) =>
    role(name, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(full, tile);
        read(slot);
        if (frees) arrive(empty);
      }
    });
  return [
    role('scheduler', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(empty, tile - 1);
        write(slot);
        arrive(full);
      }
    }),
    reader('mma', true),
    reader('epilogue', fixed),
  ];
});
