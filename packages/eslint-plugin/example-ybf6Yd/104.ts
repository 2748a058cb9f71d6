import { kernel as $kernel } from 'poundlock';
import { UNITS, buffer, asyncUse, commitGroup, waitGroup, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
asyncUse(UNITS.mma, { reads: [tile] });
commitGroup(UNITS.mma);
yield* waitGroup(UNITS.mma, 0);
})];
});