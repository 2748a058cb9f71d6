// All lanes of the load warp store to shared memory, and one elected lane arrives for them.
// An arrival releases what its own thread has done before. The proxy fence between orders no other
// thread, so that the compute warps may read values that some lane has not stored yet; racecheck
// reports it for both arrays.
// The fix here: a __syncwarp() before the elected lane arrives.
// https://github.com/NVIDIA/cudnn-frontend/pull/426
import {
  arrive,
  barrier,
  buffer,
  fence,
  kernel,
  read,
  role,
  syncWarp,
  wait,
  write,
} from 'poundlock';

export default kernel('indexer-backward', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const sW = buffer('sW');
  const sGradSignal = buffer('sGradSignal');
  const loaded = barrier('w_loaded');
  const free = barrier('w_free', { count: 128 });

  const load = role('load', { strands: 'lanes' }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(free, tile - 1);
      write(sGradSignal); // each lane its part
      write(sW);
      fence('proxy.async');
      if (fixed) yield* syncWarp();
      arrive(loaded, { by: 'one' });
    }
  });

  const compute = role('compute', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(loaded, tile);
      read(sW);
      read(sGradSignal);
      arrive(free, { everyLane: true });
    }
  });

  return [load, compute];
});
