// The parity of a ring is computed from the K loop alone, and the K loop runs once for each tile of
// a persistent kernel.
// The phase begins at 0 again with every tile, while the barriers go on. It fits by accident where
// the K steps are a multiple of twice the stages, or where a block has one tile only; else every
// tile from the second one on is wrong, or the launch fails.
// The fix: count the steps over all tiles.
// https://github.com/tile-ai/tilelang/pull/2674
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  kernel,
  role,
  UNITS,
  waitGroup,
  waitParity,
} from 'poundlock';

const BYTES = 16_384;

const defaults = { fixed: false, stages: 2, steps: 2, tiles: 2 };

export default kernel('persistent-gemm', defaults, ({ fixed, stages, steps, tiles }) => {
  const ring = Array.from({ length: stages }, (_, s) => ({
    full: barrier(`full[${s}]`),
    empty: barrier(`empty[${s}]`),
    tile: buffer(`ab[${s}]`),
  }));
  const at = (tile: number, k: number) => {
    const step = fixed ? tile * steps + k : k;
    return { ...ring[step % stages]!, parity: Math.floor(step / stages) % 2 };
  };

  const producer = role('producer', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (let k = 0; k < steps; k++) {
        const { full, empty, tile: into, parity } = at(tile, k);
        yield* waitParity(empty, parity ^ 1);
        arrive(full, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [into], bar: full, bytes: BYTES });
      }
    }
  });

  const consumer = role('consumer', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (let k = 0; k < steps; k++) {
        const { full, empty, tile: operands, parity } = at(tile, k);
        yield* waitParity(full, parity);
        asyncUse(UNITS.mma, { reads: [operands], group: true });
        yield* waitGroup(UNITS.mma, 0);
        arrive(empty);
      }
    }
  });

  return [producer, consumer];
});
