import { kernel as $kernel } from 'poundlock';
import { PipelineOrder } from '@poundlock/dialects/cute';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const order = PipelineOrder.create('order', { depth: 1, length: 1, groupSize: 1 });
return [
  role('math', function* () {
    const turns = order.group(0);
    yield* turns.wait();
    yield* turns.arrive();
  }),
];
});