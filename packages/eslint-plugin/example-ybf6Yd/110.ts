import { kernel as $kernel } from 'poundlock';
import { buffer, cell, fetchAdd, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
const flag = cell('flag');
return [role('example', function* () {
const ticket = yield* fetchAdd(flag, 1);
if (ticket === 0) write(tile);
})];
});