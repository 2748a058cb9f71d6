// Bug: the producer starts with a PipelineState of its own, and not with makeProducerStartState.
// On hardware: a fresh empty barrier has completed no phase. The producer's first wait is for phase
// 0, which only a consumer can complete, and the consumer waits for the producer.
// Fix: a producer starts with the flipped phase.
import { kernel, read, role } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('phase-not-flipped', { flipped: false, tiles: 2 }, ({ flipped, tiles }) => {
  const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16_384, numConsumers: 1 });

  const load = role('load', function* () {
    let write = flipped ? makeProducerStartState(ab) : makeConsumerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, write = advance(write)) {
      yield* ab.producerAcquire(write);
      ab.tmaLoad(write);
    }
    yield* ab.producerTail(write);
  });

  const math = role('math', function* () {
    let state = makeConsumerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, state = advance(state)) {
      yield* ab.consumerWait(state);
      read(ab.buffers(state)[0]!);
      ab.consumerRelease(state);
    }
  });

  return [load, math];
});
