import { kernel as $kernel } from 'poundlock';
import { registers, setMaxRegisters, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
registers({ perThread: 128, threads: 256 });
return [
  role('load', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 24);
  }),
  role('mma', { warps: 4 }, function* () {
    yield* setMaxRegisters('inc', 232);
  }),
];
});