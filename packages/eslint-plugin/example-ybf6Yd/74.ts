import { kernel as $kernel } from 'poundlock';
import { PipelineAsync } from '@poundlock/dialects/cute';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = PipelineAsync.create('ab', { numStages: 2 });
const [producer, consumer] = ab.makeParticipants();
return [
  role('load', function* () {
    (yield* producer.acquireAndAdvance()).commit();
  }),
  role('mma', function* () {
    const ready = yield* consumer.tryWait();
    const stage = yield* consumer.waitAndAdvance(ready);
    stage.release();
  }),
];
});