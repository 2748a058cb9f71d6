// Exceptions that tell a caller of its own mistake. Inside the function that throws them they are
// like any other; of a callee they say that a correct program never sees them.
import type { ReturnOrThrow } from '../syntax/node.ts';

const MISUSE = /^(Type|Range|Syntax|Reference|Eval|URI|Assertion|Invariant)(Error|Violation)$/;

/** `throw new TypeError(…)`. */
export function throwsMisuse({ value }: ReturnOrThrow): boolean {
  if (value?.kind !== 'call' || !value.isNew || value.callee.kind !== 'name') return false;
  return MISUSE.test(value.callee.text);
}
