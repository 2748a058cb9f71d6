import { memoryOf } from '@poundlock/fuzz';

console.log(memoryOf('users'), memoryOf('isa')); // none isa