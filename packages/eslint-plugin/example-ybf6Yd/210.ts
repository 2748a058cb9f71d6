import { drawChunk, kernelOf } from '@poundlock/fuzz';

const [drawn] = drawChunk({ kinds: ['performed'], seed: 1 });
console.log(kernelOf(drawn!).name); // performed