// The full barriers count the 32 threads of the load warp, and one of them arrives.
// A first pipeline in CuTe DSL: the producer group was made of 32 threads, the consumer group of
// 128. The elected thread arrives with the bytes of its TMA copy, and the commit of this pipeline
// does nothing: 31 arrivals are missing, and the consumer waits for the first tile forever.
// The answer in the thread: the arrival count of the producer is 1.
// https://github.com/NVIDIA/cutlass/issues/2404
import { kernel, pipeline, read, role, tma } from 'poundlock';

const defaults = { fixed: false, stages: 3, tiles: 4 };

export default kernel('first-cute-pipeline', defaults, ({ fixed, stages, tiles }) => {
  const producers = fixed ? 1 : 32;
  const a = pipeline('a', { stages, bytes: 16_384, producers, consumers: 128 });

  const load = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* a.produce();
      tma.load(slot);
    }
    yield* a.drain();
  });

  const consumer = role('consumer', { lanes: 128 }, function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* a.consume();
      read(tile.buffer());
    }
  });

  return [load, consumer];
});
