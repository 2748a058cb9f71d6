// The TMA store reads the output tile before the stores of the warps have reached it.
// HSTU attention, forward: the warps of the epilogue write sO with ordinary stores and meet at a
// named barrier, and one warp starts the copy to global memory. The barrier orders the threads, and
// the copy reads through the async proxy: sometimes it stored a part of the tile (120 elements that
// differ, seen with four processes on one B200).
// The fix: every warp executes fence.proxy.async.shared::cta after its stores.
// https://github.com/NVIDIA/cudnn-frontend/pull/784
import {
  asyncCopy,
  buffer,
  fence,
  kernel,
  namedBarrier,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const WARPS = 4;
const FIRST = { warp: 0 };

export default kernel('hstu-epilogue', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const sO = buffer('sO', { bytes: 16_384 });
  const epilogue = namedBarrier('epilogue', { id: 1, threads: 32 * WARPS });
  const warps = role('epilogue warps', { warps: WARPS }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      write(sO);
      if (fixed) fence('proxy.async', { space: 'shared' });
      yield* syncNamed(epilogue); // the whole tile is written
      asyncCopy(UNITS.bulk, { reads: [sO], group: true, by: FIRST });
      yield* waitGroup(UNITS.bulk, 0, { read: true, by: FIRST });
      yield* syncNamed(epilogue); // it was read
    }
    yield* waitGroup(UNITS.bulk, 0, { by: FIRST });
  });
  return [warps];
});
