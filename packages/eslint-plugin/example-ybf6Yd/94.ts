import { kernel as $kernel } from 'poundlock';
import { barrier, buffer, read, tryWait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
const ready: boolean = yield* tryWait(bar, 0);
if (ready) read(tile);
})];
});