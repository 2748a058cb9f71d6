// Bug: the load role picks the part that it loads by a counter of the module.
// What happens: a role runs repeatedly, and must perform the same operations for the same
// results; this one continues counting where the last run stopped. No schedule could be
// replayed, and no verdict would be valid. Math.random() or Date.now() have the same effect.
// Fix: count inside the role; or yield* choose(2), so that both results are explored.
import { kernel, pipeline, read, role, tma } from 'poundlock';

let loads = 0;

export default kernel('nondeterministic-role', { tiles: 3 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: { even: 16_384, odd: 16_384 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 16_384);
      tma.copy(slot, loads++ % 2);
    }
    yield* ab.drain();
  });

  const consume = role('consume', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using found = yield* ab.consume();
      for (const part of found.buffers) read(part);
    }
  });

  return [load, consume];
});
