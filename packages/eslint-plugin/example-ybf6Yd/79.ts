import { kernel as $kernel } from 'poundlock';
import { PipelineAsync, advance, makeConsumerStartState, makeProducerStartState } from '@poundlock/dialects/cute';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = PipelineAsync.create('ab', { numStages: 2 });
return [
  role('load', function* () {
    let state = makeProducerStartState(ab);
    for (let tile = 0; tile < 3; tile++, state = advance(state)) {
      yield* ab.producerAcquire(state);
      ab.producerCommit(state);
    }
  }),
  role('mma', function* () {
    let state = makeConsumerStartState(ab);
    for (let tile = 0; tile < 3; tile++, state = advance(state)) {
      yield* ab.consumerWait(state);
      ab.consumerRelease(state);
    }
  }),
];
});