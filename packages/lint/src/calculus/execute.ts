// All rules of the calculus, by operation.
import { CLOSURES } from './closures.ts';
import { CONTROL } from './control.ts';
import { LIST_LOOPS } from './list-loops.ts';
import { LISTS } from './lists.ts';
import type { Handlers } from './machine.ts';
import { SIMPLE } from './simple.ts';

export const HANDLERS: Handlers = { ...SIMPLE, ...LISTS, ...LIST_LOOPS, ...CONTROL, ...CLOSURES };
