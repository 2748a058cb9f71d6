import { chunkSize } from '@poundlock/fuzz';

console.log(chunkSize(['users', 'polls'])); // 60