import { kernel as $kernel } from 'poundlock';
import { barrier, arrive, waitParity, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
let parity = 0;
for (let round = 0; round < 3; round++) {
  arrive(bar);
  yield* waitParity(bar, parity);
  parity ^= 1;
}
})];
});