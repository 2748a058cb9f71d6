import { kernel as $kernel } from 'poundlock';
import { cutlass } from '@poundlock/dialects/cute';
import { buffer, write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const order = cutlass.OrderedSequenceBarrier.create('order', {
  depth: 1,
  length: 2,
  groupSize: 128,
});
const c = buffer('c');
const math = (group: number) =>
  role(`math${group}`, { lanes: 128 }, function* () {
    const turns = order.group(group);
    yield* turns.wait();
    write(c);
    yield* turns.arrive();
  });
return [math(0), math(1)];
});