import { kernel, read, role } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('cutlass', { tiles: 5 }, ({ tiles }) => {
  const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 16_384, numConsumers: 32 });
  const load = role('load', function* () {
    let write = makeProducerStartState(ab);
    for (let tile = 0; tile < tiles; tile++) {
      yield* ab.producerAcquire(write); // the leader expects the bytes
      ab.tmaLoad(write); // copy(tma.with(*pipeline.producer_get_barrier(write), mask), …)
      write = advance(write); // ++write
    }
    yield* ab.producerTail(write);
  });
  const use = role('use', { lanes: 32 }, function* () {
    let state = makeConsumerStartState(ab);
    for (let tile = 0; tile < tiles; tile++) {
      yield* ab.consumerWait(state);
      read(ab.buffers(state)[0]!);
      ab.consumerRelease(state); // each of the 32 threads arrives
      state = advance(state);
    }
  });
  return [load, use];
});
