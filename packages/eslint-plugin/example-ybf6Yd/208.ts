import { drawChunk, lookAt, type Checker } from '@poundlock/fuzz';
import { check } from 'poundlock/check';

const checker: Checker = (kernel, { timeoutMs: _, ...options }) => check(kernel, options);
const [drawn] = drawChunk({ kinds: ['performed'], seed: 1 });
const { fault } = await lookAt(checker, drawn!.kind, drawn!.program);
console.log(fault === ''); // true