import { WorkInfo } from 'poundlock/sm100';

console.log(new WorkInfo(true).isValid()); // true