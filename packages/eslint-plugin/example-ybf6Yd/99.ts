import { kernel as $kernel } from 'poundlock';
import { arriveNamed, syncNamed, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [
  role('signal', { lanes: 32 }, function* () {
    arriveNamed(1, 64);
  }),
  role('wait', { lanes: 128 }, function* () {
    yield* syncNamed(1, 64, { lanes: 32 }); // one warp of the role
  }),
];
});