import { kernel as $kernel } from 'poundlock';
import { barrier, arrive, invalidate, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
arrive(bar);
yield* wait(bar, 0);
invalidate(bar);
})];
});