// Bug: two math warpgroups share a ring and take turns, but neither moves its state past the k tiles
// of the other one.
// On hardware: collectives take their PipelineState by value, so the kernel has to move it: by the
// tiles of the other group, too. Both groups wait for the same stages, and each tile is released
// twice. The barrier counts one arrival, so the second release frees a stage that was filled anew.
// Fix: advance(state, kTiles * (groups - 1)) after each tile.
import { kernel, read, role } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('own-tiles-only', { skips: false, tiles: 4 }, ({ skips, tiles }) => {
  const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16_384, numConsumers: 1 });
  const order = cutlass.OrderedSequenceBarrier.create('order', {
    depth: 1,
    length: 2,
    groupSize: 1,
  });

  const load = role('load', function* () {
    let write = makeProducerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, write = advance(write)) {
      yield* ab.producerAcquire(write);
      ab.tmaLoad(write);
    }
    yield* ab.producerTail(write);
  });

  const math = (group: number) =>
    role(`math${group}`, function* () {
      const turns = order.group(group);
      let state = advance(makeConsumerStartState(ab), group);
      for (let tile = group; tile < tiles; tile += 2) {
        yield* turns.wait();
        yield* ab.consumerWait(state);
        read(ab.buffers(state)[0]!);
        ab.consumerRelease(state);
        yield* turns.arrive();
        state = advance(state, skips ? 2 : 1);
      }
    });

  return [load, math(0), math(1)];
});
