// The user's code and what it throws: one clear line with its place.
import { InputError, positionInStack } from '../base/index.ts';
import { rethrowRefused } from './outside.ts';
import type { PendingOperations } from './pending-operations.ts';
import { RoleStopped } from './role-aborted.ts';
import { StrandsDiffer } from './strands.ts';

/**
 * What `who` threw, as an input error; poundlock's own errors stay what they are. `pending` has the
 * operations of the role: one that is used as if it were its result explains a TypeError.
 */
export function asInputError(who: string, error: unknown, pending?: PendingOperations): unknown {
  const { cause, rest } = unwrapped(error);
  if (cause instanceof InputError || cause instanceof RoleStopped) return cause;
  if (cause instanceof StrandsDiffer) return cause;
  const isError = cause instanceof Error;
  if (isError && (cause.name === 'InvariantError' || cause.name === 'BoundError')) return cause;
  const position = isError ? positionInStack(cause.stack) : undefined;
  const unperformed = cause instanceof TypeError ? pending?.since(0).at(-1) : undefined;
  if (unperformed !== undefined) {
    const { call, at = position } = unperformed;
    const what = `${who} calls ${call} and never performs it`;
    return new InputError(`${what}: write \`yield*\` before ${call}`, at);
  }
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
  let result: T;
  try {
    result = call();
  } catch (error) {
    rethrowRefused();
    throw asInputError(who, error);
  }
  rethrowRefused();
  return result;
}
