import { kernel as $kernel } from 'poundlock';
import { UNITS, barrier, buffer, arrive, asyncCopy, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
arrive(bar, { bytes: 128 });
asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 128 });
yield* wait(bar, 0);
})];
});