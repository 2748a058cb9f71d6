// Exceptions that report misuse by the caller. They count inside the function that throws them, but
// not at its callers, which are assumed to be correct.
import type { ReturnOrThrow } from '../syntax/node.ts';

const MISUSE = /^(Type|Range|Syntax|Reference|Eval|URI|Assertion|Invariant)(Error|Violation)$/;

/** `throw new TypeError(…)`. */
export function throwsMisuse({ value }: ReturnOrThrow): boolean {
  if (value?.kind !== 'call' || !value.isNew || value.callee.kind !== 'name') return false;
  return MISUSE.test(value.callee.text);
}
