import { kernel as $kernel } from 'poundlock';
import { UNITS, barrier, buffer, arrive, asyncCopy, read, signalWhenDone, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
asyncCopy(UNITS.cpAsync, { into: [tile] });
signalWhenDone(UNITS.cpAsync, bar);
arrive(bar);
yield* wait(bar, 0);
read(tile);
})];
});