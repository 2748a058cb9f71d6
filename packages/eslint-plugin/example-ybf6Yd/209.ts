import { runChunk, type Checker } from '@poundlock/fuzz';
import { check } from 'poundlock/check';

const checker: Checker = (kernel, { timeoutMs: _, ...options }) => check(kernel, options);
const chunk = { kinds: ['performed'], seed: 1, to: 5 } as const;
const { tried, disagreements } = await runChunk(checker, chunk);
console.log(tried, disagreements.length); // 5 0