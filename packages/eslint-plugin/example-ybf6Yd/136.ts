import { kernel as $kernel } from 'poundlock';
import { buffer, launchDependents, read, waitGrids, write, grid, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const first = grid('first');
const second = grid('second', { after: first });
const out = buffer('out', { space: 'global' });
return [
  role('gemm', { grid: first }, function* () {
    write(out);
    launchDependents();
  }),
  role('reduce', { grid: second }, function* () {
    yield* waitGrids();
    read(out);
  }),
];
});