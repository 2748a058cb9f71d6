import { kernel as $kernel } from 'poundlock';
import { barrier, count, arrive, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ready = barrier('ready', { count: 32 });
return [
  role('load', { lanes: 32 }, function* () {
    arrive(ready, { everyLane: true });
  }),
  role('mma', function* () {
    yield* wait(ready, 0);
  }),
];
});