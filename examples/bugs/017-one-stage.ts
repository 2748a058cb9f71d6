// The consumer keeps one MMA in flight and releases a stage one round later, and the ring has one
// stage.
// The stage of round k is released after the MMA of round k + 1 was issued. With one stage, the
// load of round k + 1 waits for that release: both warps wait from the second round on.
// The fix: with one stage, MMAs are not launched asynchronously.
// https://github.com/triton-lang/triton/pull/2868
import { count, end, kernel, loop, mma, pipeline, role, tma, type ConsumerStage } from 'poundlock';

const defaults = { fixed: false, stages: 1, steps: 3 };

export default kernel('hopper-ws-gemm', defaults, ({ fixed, stages, steps }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768, advance: 'acquire' });
  const inFlight = fixed && stages === 1 ? 0 : 1;

  const items = count(steps);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
    yield* ab.drain();
  });

  const math = role('math', function* () {
    const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
      if (!(yield* items.more())) return end(previous);
      const tile = yield* ab.acquireConsumer();
      mma.issue(tile);
      yield* mma.waitGroup(inFlight);
      previous?.release();
      if (inFlight > 0) return tile;
      tile.release();
      return null;
    });
    yield* mma.waitGroup(0);
    last?.release();
  });

  return [load, math];
});
