// Bug: the load role rolls dice to decide which tile it skips.
// What happens: a role is run again and again, and each run must make the same operations when it
// gets the same answers; otherwise no schedule can be replayed and nothing that was checked holds.
// Fix: yield* choose(2), which leaves the decision open so that both answers are explored.
import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('nondeterministic-role', { tiles: 8 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: { even: 16_384, odd: 16_384 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 16_384);
      tma.copy(slot, Math.random() < 0.5 ? 0 : 1);
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
