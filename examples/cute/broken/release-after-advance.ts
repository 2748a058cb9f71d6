// Bug: the consumer moves its state on and releases it then: the stage after the one it has read.
// On hardware: a stage is given back before it was read. A producer that has not come to it yet finds
// its parity flipped and hangs; one that has passed it already fills the stage while it is read.
// Fix: release the state that was waited for, then move on.
import { kernel, read, role } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('release-after-advance', { late: true, tiles: 4 }, ({ late, tiles }) => {
  const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16_384, numConsumers: 1 });

  const load = role('load', function* () {
    let write = makeProducerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, write = advance(write)) {
      yield* ab.producerAcquire(write);
      ab.tmaLoad(write);
    }
    yield* ab.producerTail(write);
  });

  const math = role('math', function* () {
    let state = makeConsumerStartState(ab);
    for (let tile = 0; tile < tiles; tile++) {
      yield* ab.consumerWait(state);
      read(ab.buffers(state)[0]!);
      if (!late) ab.consumerRelease(state);
      state = advance(state);
      if (late) ab.consumerRelease(state);
    }
  });

  return [load, math];
});
