import { kernel as $kernel } from 'poundlock';
import { compute, join, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [
  role('waits', function* () {
    yield* join(1);
  }),
  role('works', function* () {
    yield* compute(100);
  }),
];
});