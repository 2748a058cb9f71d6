// The barrier that holds the epilogue's loads back counts one load warp, and there are four.
// Each warp that loads A and B arrives once its first tile is on the way; the warp that loads for
// the epilogue arrives and waits. The count was written for one load warp, 2 x 32 threads. With
// gather_A there are four: they complete the barrier among themselves, and the epilogue's warp
// waits for arrivals that are over.
// The fix: the count is (load warps + 1) x 32.
// https://github.com/Dao-AILab/quack/pull/146
import { arriveNamed, kernel, pipeline, read, role, syncNamed, tma } from 'poundlock';

const EPILOGUE_LOAD = 2; // a named barrier
const WARP = 32;

const defaults = { fixed: false, loadWarps: 4, tiles: 1 };

export default kernel('gather-a-gemm', defaults, ({ fixed, loadWarps, tiles }) => {
  const threads = fixed ? (loadWarps + 1) * WARP : 2 * WARP;
  const warps = Array.from({ length: loadWarps }, (_, warp) => warp);
  const rows = Object.fromEntries(warps.map((warp) => [`rows${warp}`, 8192]));
  const ab = pipeline('ab', { stages: 2, bytes: rows, producers: loadWarps });
  const c = pipeline('c', { stages: 1, bytes: 8192 });

  const load = (warp: number) =>
    role(`load${warp}`, { lanes: WARP }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ab.produce();
        tma.expect(slot, slot.partBytes[warp]);
        tma.copy(slot, warp);
        if (tile === 0) arriveNamed(EPILOGUE_LOAD, threads);
      }
      yield* ab.drain();
    });

  const epilogueLoad = role('epilogueLoad', { lanes: WARP }, function* () {
    if (tiles > 0) yield* syncNamed(EPILOGUE_LOAD, threads);
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* c.produce();
      tma.load(slot);
    }
    yield* c.drain();
  });

  const math = role('math', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using operands = yield* ab.consume();
      for (const part of operands.buffers) read(part);
      using old = yield* c.consume();
      read(old.buffer());
    }
  });

  return [...warps.map(load), epilogueLoad, math];
});
