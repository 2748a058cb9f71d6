import { kernel as $kernel } from 'poundlock';
import { PipelineTmaAsync } from '@poundlock/dialects/cute';
import { read, role, tma } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = PipelineTmaAsync.create('ab', { numStages: 2, bytes: 1024 });
const [producer, consumer] = ab.makeParticipants();
return [
  role('load', function* () {
    tma.copy(yield* producer.acquireAndAdvance());
    yield* producer.tail();
  }),
  role('mma', function* () {
    const stage = yield* consumer.waitAndAdvance();
    read(stage.buffer());
    stage.release();
  }),
];
});