// The scheduler overwrites the coordinates of a tile before all five warps have copied them.
// The coordinates lie in one mailbox with a barrier that says ready, and none that says free. A
// slow epilogue warp reads the coordinates of the next tile and stores its output there: found on a
// B200 by perturbing the schedule.
// The fix: a barrier of five arrivals, one from each reader, that the scheduler waits for before it
// publishes again.
// https://github.com/NVlabs/cuda-oxide/pull/1066
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

const EPILOGUE_WARPS = 4;
const READERS = 1 + EPILOGUE_WARPS;

export default kernel('gemm-sol-clc', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const mailbox = buffer('tileInfo');
  const ready = barrier('tileReady');
  const free = barrier('tileInfoFree', { count: READERS });
  const scheduler = role('scheduler', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      if (fixed) yield* wait(free, tile - 1);
      write(mailbox);
      arrive(ready);
    }
  });

  const reader = (name: string) =>
    role(name, { lanes: 32 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(ready, tile);
        read(mailbox);
        if (fixed) arrive(free);
      }
    });

  const epilogue = Array.from({ length: EPILOGUE_WARPS }, (_, warp) => reader(`epilogue${warp}`));
  return [scheduler, reader('mma'), ...epilogue];
});
