import { kernel as $kernel } from 'poundlock';
import { buffer, choose, read, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
if ((yield* choose(2)) === 0) read(tile);
else write(tile);
})];
});