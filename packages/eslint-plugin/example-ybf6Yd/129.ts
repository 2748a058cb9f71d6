import { kernel as $kernel } from 'poundlock';
import { barrier, arrive, tryWaitParity, waitParity, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
arrive(bar);
if (!(yield* tryWaitParity(bar, 0))) yield* waitParity(bar, 0);
})];
});