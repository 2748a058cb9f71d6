import { asyncUse, kernel, mma, role, UNITS } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('main-loop', { stages: 3, kTiles: 8 }, ({ stages, kTiles }) => {
  const pipe = cutlass.PipelineTmaAsync.create('ab', {
    stages,
    bytes: { a: 16_384, b: 16_384 }, // Params::transaction_bytes, one entry for each copy
    numConsumers: 128, // Params::num_consumers: threads, not warps
  });

  const producer = role('producer', function* () {
    let write = makeProducerStartState(pipe);
    for (let k = 0; k < kTiles; k++) {
      yield* pipe.producerAcquire(write); // waits for empty; arrives on full and expects 32,768 B
      pipe.tmaLoad(write); // both copies, with producer_get_barrier(write)
      write = advance(write);
    }
    yield* pipe.producerTail(write);
  });

  const consumer = role('consumer', { lanes: 128 }, function* () {
    let read = makeConsumerStartState(pipe);
    let release = read;
    for (let k = 0; k < kTiles; k++) {
      yield* pipe.consumerWait(read);
      asyncUse(UNITS.mma, { reads: pipe.buffers(read), group: true }); // wgmma, commit_batch
      yield* mma.waitGroup(1); // warpgroup_wait<1>: all but the newest are done
      if (k > 0) {
        pipe.consumerRelease(release);
        release = advance(release);
      }
      read = advance(read);
    }
    yield* mma.waitGroup(0);
    pipe.consumerRelease(release);
  });

  return [producer, consumer];
});
