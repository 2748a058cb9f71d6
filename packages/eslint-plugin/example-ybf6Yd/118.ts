import { kernel as $kernel } from 'poundlock';
import { buffer, read, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
read(tile);
})];
});