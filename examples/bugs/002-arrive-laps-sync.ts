// The math warps hand tiles back by an arrival that does not block, and arrive for the next tile
// at the same named barrier before the IO warps have come for this one.
// Sparse MLA prefill, count 384: 256 math threads arrive, 128 IO threads sync. Two tiles are in
// flight, so math can finish tile t and t + 1 while IO has not come for t. The surplus arrivals
// complete the phase without IO, and IO starves at a later one: seen as BAR.SYNC 1, 384 on a GB10.
// The fix: two barriers in turn. Math cannot begin tile t before IO has come for t - 2.
// https://github.com/flashinfer-ai/flashinfer/pull/4732
import {
  arrive,
  arriveNamed,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 16_384;
const THREADS = 256 + 128;
const BUFFERS = 2;

export default kernel('sparse-mla-prefill', { fixed: false, tiles: 3 }, ({ fixed, tiles }) => {
  const full = [barrier('full[0]'), barrier('full[1]')] as const;
  const kv = [buffer('kv[0]'), buffer('kv[1]')] as const;
  const slot = (tile: number) => (tile % BUFFERS) as 0 | 1;
  const handBack = (tile: number) => (fixed && tile % 2 === 1 ? 5 : 1);

  const io = role('io', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles + BUFFERS; tile++) {
      if (tile >= BUFFERS && tile - BUFFERS < tiles)
        yield* syncNamed(handBack(tile - BUFFERS), THREADS);
      if (tile >= tiles) continue;
      arrive(full[slot(tile)], { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: [kv[slot(tile)]], bar: full[slot(tile)], bytes: BYTES });
    }
  });

  const math = role('math', { lanes: 256 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full[slot(tile)], Math.floor(tile / BUFFERS));
      read(kv[slot(tile)]);
      arriveNamed(handBack(tile), THREADS);
    }
  });

  return [io, math];
});
