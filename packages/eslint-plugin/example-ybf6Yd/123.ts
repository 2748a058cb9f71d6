import { kernel as $kernel } from 'poundlock';
import { compute, join, spawn, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [
  role('parent', function* () {
    spawn(1);
    yield* join(1);
  }),
  role('child', { spawned: true }, function* () {
    yield* compute(100);
  }),
];
});