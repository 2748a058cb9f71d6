import { count, InputError, kernel } from 'poundlock';
import { check } from 'poundlock/check';

const bad = kernel('bad', {}, () => [void count(-1)] as never[]);
const error: unknown = await check(bad).catch((reason: unknown) => reason);
console.log(error instanceof InputError); // true