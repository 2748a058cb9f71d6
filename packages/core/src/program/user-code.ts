// The user's code and what it throws: one clear line with its place.
import { InputError, positionInStack } from '../base/index.ts';
import { RoleStopped } from './role-aborted.ts';
import { StrandsDiffer } from './strands.ts';

/** What `who` threw, as an input error; poundlock's own errors stay what they are. */
export function asInputError(who: string, error: unknown): unknown {
  const { cause, rest } = unwrapped(error);
  if (cause instanceof InputError || cause instanceof RoleStopped) return cause;
  if (cause instanceof StrandsDiffer) return cause;
  const isError = cause instanceof Error;
  if (isError && (cause.name === 'InvariantError' || cause.name === 'BoundError')) return cause;
  const position = isError ? positionInStack(cause.stack) : undefined;
  const later = rest.map((one) => `; then, at the end of a block: ${messageOf(one)}`);
  return new InputError(`${who} threw: ${messageOf(cause)}${later.join('')}`, position);
}

/** The error that came first, and those that the ends of blocks threw after it. */
function unwrapped(error: unknown): { cause: unknown; rest: unknown[] } {
  const rest: unknown[] = [];
  let cause = error;
  while (isSuppressed(cause)) {
    rest.unshift(cause.error);
    cause = cause.suppressed;
  }
  return { cause, rest };
}

function isSuppressed(error: unknown): error is { error: unknown; suppressed: unknown } {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error;
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!;
}

/** Runs the user's code on behalf of `who`. */
export function userCode<T>(who: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asInputError(who, error);
  }
}
