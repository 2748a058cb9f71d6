// Bug: the load role picks the part that it loads by a counter of the module.
// What happens: a role is run again and again, and must make the same operations whenever it gets
// the same answers; this one goes on counting where the last run stopped. No schedule could be
// replayed, and nothing that was checked would hold. Math.random() or Date.now() do the same.
// Fix: count inside the role; or yield* choose(2), so that both answers are explored.
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
