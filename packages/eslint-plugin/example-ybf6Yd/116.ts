import { kernel as $kernel } from 'poundlock';
import { buffer, cell, load, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
const flag = cell('flag');
return [role('example', function* () {
const value = yield* load(flag);
if (value !== 0) write(tile);
})];
});