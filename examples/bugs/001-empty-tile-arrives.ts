// A tile without work arrives at the epilogue's named barrier and goes on, so that two such tiles
// in a row arrive twice before the load warp has come once.
// Compute returns early where a split has no keys. The arrival of that path does not block, and
// nothing else holds compute back until the load warp has come for the same tile: the barrier gets
// more threads than it counts, and the load warp waits for the rest forever.
// The fix: that path arrives and waits.
// https://github.com/vllm-project/vllm/pull/26026
import { arriveNamed, kernel, pipeline, read, role, syncNamed, tma } from 'poundlock';

const EPILOGUE = 1; // a named barrier of compute and load
const THREADS = 128 + 32;

export default kernel('mla-decode', { fixed: false, empty: 2, full: 1 }, (params) => {
  const { fixed, empty, full } = params;
  const kv = pipeline('kv', { stages: 2, bytes: 16_384, consumers: 128 });
  const splits = [...Array<number>(empty).fill(0), ...Array<number>(full).fill(2)];

  const load = role('load', { lanes: 32 }, function* () {
    for (const keys of splits) {
      for (let k = 0; k < keys; k++) {
        using slot = yield* kv.produce();
        tma.load(slot);
      }
      yield* syncNamed(EPILOGUE, THREADS);
    }
    yield* kv.drain();
  });

  const compute = role('compute', { lanes: 128 }, function* () {
    for (const keys of splits) {
      if (keys === 0) {
        if (fixed) yield* syncNamed(EPILOGUE, THREADS);
        else arriveNamed(EPILOGUE, THREADS);
        continue;
      }
      for (let k = 0; k < keys; k++) {
        using tile = yield* kv.consume();
        read(tile.buffer());
      }
      arriveNamed(EPILOGUE, THREADS); // the keys of the next split hold it back
    }
  });

  return [load, compute];
});
