import { kernel as $kernel } from 'poundlock';
import { buffer, compute, read, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const sums = buffer('sums', { bytes: 1024 });
return [
  role('add', function* () {
    write(sums);
    yield* compute(100);
    read(sums);
  }),
];
});