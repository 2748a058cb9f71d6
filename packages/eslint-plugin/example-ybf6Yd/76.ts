import { kernel as $kernel } from 'poundlock';
import { cutlass, advance, makeConsumerStartState, makeProducerStartState } from '@poundlock/dialects/cute';
import { read, role } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 1024, numConsumers: 1 });
return [
  role('load', function* () {
    const state = makeProducerStartState(ab);
    yield* ab.producerAcquire(state);
    ab.tmaLoad(state);
    yield* ab.producerTail(advance(state));
  }),
  role('mma', function* () {
    const state = makeConsumerStartState(ab);
    yield* ab.consumerWait(state);
    read(ab.buffers(state)[0]!);
    ab.consumerRelease(state);
  }),
];
});