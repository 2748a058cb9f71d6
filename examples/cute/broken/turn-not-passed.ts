// Bug: a warpgroup takes its turn to multiply and its turn to store, and passes only the first on.
// On hardware: the other group multiplies, then waits for its turn to store, which is never passed
// on: both hang in the second tile.
// Fix: every wait of an OrderedSequenceBarrier has an arrive in the same stage.
import { kernel, role, write } from 'poundlock';
import { buffer } from 'poundlock';
import { cutlass } from 'poundlock/cute';

export default kernel('turn-not-passed', { passes: false, tiles: 2 }, ({ passes, tiles }) => {
  const order = cutlass.OrderedSequenceBarrier.create('order', {
    depth: 2,
    length: 2,
    groupSize: 128,
  });
  const shared = buffer('c');

  const math = (group: number) =>
    role(`math${group}`, { lanes: 128 }, function* () {
      const turns = order.group(group);
      for (let tile = 0; tile < tiles; tile++) {
        yield* turns.wait();
        yield* turns.arrive();
        yield* turns.wait();
        write(shared);
        if (passes) yield* turns.arrive();
        else turns.advance();
      }
    });

  return [math(0), math(1)];
});
