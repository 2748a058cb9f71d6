import { kernel as $kernel } from 'poundlock';
import { registers, setMaxRegisters, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
registers({ perThread: 168, threads: 128 });
return [
  role('load', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 24);
  }),
];
});