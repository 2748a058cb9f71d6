import { kernel as $kernel } from 'poundlock';
import { UNITS, barrier, buffer, asyncUse, commit, wait, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
asyncUse(UNITS.mma, { reads: [tile] });
commit(UNITS.mma, bar);
yield* wait(bar, 0);
write(tile);
})];
});