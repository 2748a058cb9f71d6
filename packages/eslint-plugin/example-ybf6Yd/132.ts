import { kernel as $kernel } from 'poundlock';
import { buffer, read, waitGrids, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
yield* waitGrids();
read(tile);
})];
});