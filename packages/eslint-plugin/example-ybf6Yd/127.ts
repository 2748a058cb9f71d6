import { kernel as $kernel } from 'poundlock';
import { barrier, buffer, arrive, read, syncWarp, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile', { bytes: 128 });
return [
  role('math', { strands: 'lanes' }, function* () {
    yield* wait(bar, 0, { by: 'one' });
    yield* syncWarp();
    read(tile);
  }),
  role('load', function* () {
    arrive(bar);
  }),
];
});