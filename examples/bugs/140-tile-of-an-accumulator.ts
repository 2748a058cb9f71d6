// Each warp stores its accumulator to a tile of its own, and its lanes read what others have stored.
// Two kernels beside it have the __syncwarp() that this one lacks. The fix: the same.
// https://github.com/JustVugg/colibri/issues/1099
import { buffer, kernel, read, role, syncWarp, write } from 'poundlock';

export default kernel('grouped-wmma', { fixed: false }, ({ fixed }) =>
  [0, 1].map((warp) => {
    const out = buffer(`out[${warp}]`, { bytes: 1024 });
    return role(`warp${warp}`, { strands: 'lanes' }, function* () {
      write(out, { by: { lanes: [0, 1] } });
      if (fixed) yield* syncWarp();
      read(out, { by: { lane: 2 } });
    });
  }),
);
