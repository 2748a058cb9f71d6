import { asyncUse, kernel, mma, role, UNITS } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('release-newest', { stages: 3, kTiles: 8 }, ({ stages, kTiles }) => {
  const pipe = cutlass.PipelineTmaAsync.create('ab', { stages, bytes: 32_768, numConsumers: 128 });

  const producer = role('producer', function* () {
    let write = makeProducerStartState(pipe);
    for (let k = 0; k < kTiles; k++) {
      yield* pipe.producerAcquire(write);
      pipe.tmaLoad(write);
      write = advance(write);
    }
    yield* pipe.producerTail(write);
  });

  const consumer = role('consumer', { lanes: 128 }, function* () {
    let read = makeConsumerStartState(pipe);
    for (let k = 0; k < kTiles; k++) {
      yield* pipe.consumerWait(read);
      asyncUse(UNITS.mma, { reads: pipe.buffers(read), group: true });
      yield* mma.waitGroup(1);
      pipe.consumerRelease(read);
      read = advance(read);
    }
    yield* mma.waitGroup(0);
  });

  return [producer, consumer];
});
