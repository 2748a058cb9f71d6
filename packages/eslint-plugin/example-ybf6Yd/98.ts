import { kernel as $kernel } from 'poundlock';
import { barrier, count, arrive, arriveDrop, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const shared = barrier('shared', { count: 2 });
return [
  role('leaves', function* () {
    arriveDrop(shared);
  }),
  role('stays', function* () {
    arrive(shared);
    yield* wait(shared, 0);
    arrive(shared);
    yield* wait(shared, 1);
  }),
];
});