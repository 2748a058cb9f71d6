import { kernel as $kernel } from 'poundlock';
import { barrier, arrive, tryWait, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
arrive(bar);
const ready = yield* tryWait(bar, 0);
if (!ready) yield* wait(bar, 0);
})];
});