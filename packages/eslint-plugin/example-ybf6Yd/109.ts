import { kernel as $kernel } from 'poundlock';
import { buffer, fence, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
write(tile);
fence('proxy.async');
})];
});