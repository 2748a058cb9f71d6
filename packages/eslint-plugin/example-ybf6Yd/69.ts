import { kernel as $kernel } from 'poundlock';
import { Agent, CooperativeGroup, PipelineUmmaAsync } from '@poundlock/dialects/cute';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const acc = PipelineUmmaAsync.create('acc', {
  numStages: 1,
  consumerGroup: new CooperativeGroup(Agent.Thread, 4),
});
const [producer, consumer] = acc.makeParticipants();
return [
  role('mma', function* () {
    const stage = yield* producer.acquireAndAdvance();
    stage.commit();
  }),
  role('epilogue', { lanes: 4 }, function* () {
    const stage = yield* consumer.waitAndAdvance();
    stage.release();
  }),
];
});