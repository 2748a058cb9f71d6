import { kernel as $kernel } from 'poundlock';
import { buffer, compute, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
yield* compute(400, (view) => view(tile, Float32Array).fill(1));
})];
});