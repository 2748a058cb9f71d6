import { titleOf } from 'poundlock/lint';

console.log(titleOf('double-release')); // a handle is released twice