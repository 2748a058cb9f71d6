import { kernel as $kernel } from 'poundlock';
import { barrier, count, arrive, load, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const full = barrier('full', { count: 2 });
const load = (name: string) =>
  role(name, function* () {
    arrive(full);
  });
return [
  load('load a'),
  load('load b'),
  role('mma', function* () {
    yield* wait(full, 0);
  }),
];
});