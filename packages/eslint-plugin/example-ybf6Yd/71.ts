import { kernel as $kernel } from 'poundlock';
import { PipelineAsync } from '@poundlock/dialects/cute';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const [producer, consumer] = PipelineAsync.create('ab', { numStages: 2 }).makeParticipants();
return [
  role('load', function* () {
    const stage = yield* producer.acquireAndAdvance();
    stage.commit();
  }),
  role('mma', function* () {
    const stage = yield* consumer.waitAndAdvance();
    stage.release();
  }),
];
});