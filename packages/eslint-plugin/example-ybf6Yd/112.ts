import { kernel as $kernel } from 'poundlock';
import { barrier, count, arrive, init, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const late = barrier('late', { count: 0 });
return [
  role('init', function* () {
    init(late, 1);
    arrive(late);
    yield* wait(late, 0);
  }),
];
});