import { arrive, asyncCopy, barrier, buffer, end, kernel, loop, read, role, UNITS, waitParity } from 'poundlock';

export default kernel('tlx', { tiles: 5 }, ({ tiles }) => {
  const full = [0, 1].map((i) => barrier(`full[${i}]`, { count: 1 })); // tlx.alloc_barriers(2)
  const empty = [0, 1].map((i) => barrier(`empty[${i}]`, { count: 4 * 32 })); // alloc_warp_barrier(2, 4)
  const smem = [0, 1].map((i) => buffer(`smem[${i}]`));
  const next = ({ tile, buf, phase }: { tile: number; buf: number; phase: number }) => {
    return { tile: tile + 1, buf: buf ^ 1, phase: phase ^ buf }; // phase ^= (buf == NUM_BUFFERS - 1)
  };

  const producer = role('load', function* () {
    yield* loop({ tile: 0, buf: 0, phase: 1 }, function* (state) {
      if (state.tile === tiles) return end(null);
      const { buf, phase } = state;
      yield* waitParity(empty[buf]!, phase); // tlx.barrier_wait(empty, phase)
      arrive(full[buf]!, { bytes: 16_384 }); // tlx.barrier_expect_bytes(full, size)
      asyncCopy(UNITS.tma, { into: [smem[buf]!], bar: full[buf]!, bytes: 16_384 });
      return next(state);
    });
  });
  const consumer = role('use', { lanes: 128 }, function* () {
    yield* loop({ tile: 0, buf: 0, phase: 0 }, function* (state) {
      if (state.tile === tiles) return end(null);
      yield* waitParity(full[state.buf]!, state.phase);
      read(smem[state.buf]!);
      arrive(empty[state.buf]!, { everyLane: true }); // tlx.barrier_arrive(empty)
      return next(state);
    });
  });
  return [producer, consumer];
});
