// Bug: a round of the loop counts in a variable from outside instead of in the loop's state.
// What happens: the engine restores a round from its state alone, so rounds that look the same are
// merged, and `check` would miss the effect of the variable. On hardware the code has its usual
// meaning: mma leaves after the first tile, and load waits in its drain forever.
// Fix: carry the count in the state: loop(0, function* (done) { …; return done + 1; }).
import { end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

export default kernel('loop-captures', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    let done = 0;
    yield* loop(null, function* () {
      if (done === tiles) return end(null);
      using tile = yield* ab.consume();
      mma.issue(tile);
      yield* mma.waitGroup(0);
      done += 1;
      return null;
    });
  });

  return [load, multiply];
});
