import { isDecided } from '@poundlock/fuzz';

console.log(isDecided({ verdict: 'inconclusive', fault: '' })); // false