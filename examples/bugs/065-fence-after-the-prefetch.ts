// The loop has a proxy fence, and it comes after the copy that it should hold back.
// Hadamard amax kernels of Transformer Engine: all threads of a block read a tile from shared
// memory, and at the top of the next iteration the master thread starts the TMA load of the tile
// after it, into the buffer that was read. The fence stood below that load, before the wait.
// The fix: the fence moved to the end of the iteration, after the reads. As for all such reuses,
// `check` asks for it only with --memory isa.
// https://github.com/NVIDIA/TransformerEngine/pull/2695
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  namedBarrier,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
} from 'poundlock';

const WARPS = 4;
const BYTES = 16_384;
const MASTER = { warp: 0 };

export default kernel('hadamard-amax', { fixed: false, tiles: 4 }, ({ fixed, tiles }) => {
  const inputs = [0, 1].map((at) => buffer(`in[${at}]`, { bytes: BYTES }));
  // One barrier for each tile: the kernel waits for each of them once.
  const loaded = Array.from({ length: tiles }, (_, tile) => barrier(`loaded${tile}`));
  const block = namedBarrier('block', { id: 0, threads: 32 * WARPS });

  const threads = role('block', { warps: WARPS }, function* () {
    const load = (tile: number): void => {
      if (tile >= tiles) return;
      arrive(loaded[tile]!, { bytes: BYTES, by: MASTER });
      asyncCopy(UNITS.tma, {
        into: [inputs[tile % 2]!],
        bar: loaded[tile]!,
        bytes: BYTES,
        by: MASTER,
      });
    };
    load(0);
    for (let tile = 0; tile < tiles; tile++) {
      load(tile + 1);
      if (!fixed) fence('proxy.async', { space: 'shared' });
      yield* wait(loaded[tile]!, 0);
      read(inputs[tile % 2]!);
      yield* syncNamed(block);
      if (fixed) fence('proxy.async', { space: 'shared' });
    }
  });
  return [threads];
});
