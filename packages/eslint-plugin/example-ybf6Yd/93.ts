import { kernel as $kernel } from 'poundlock';
import { buffer, end, loop, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tile = buffer('tile', { bytes: 128 });
return [role('example', function* () {
const sum = yield* loop(0, function* (sum) {
  return sum === 4 ? end(sum) : sum + 1;
});
if (sum !== 4) write(tile);
})];
});