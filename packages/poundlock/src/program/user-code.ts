// The user's code and what it throws: one clear line with its place.
import { InputError, positionInStack } from '../base/index.ts';

/** What `who` threw, as an input error; our own errors stay what they are. */
export function asInputError(who: string, error: unknown): unknown {
  if (error instanceof InputError) return error;
  const isError = error instanceof Error;
  if (isError && (error.name === 'InvariantError' || error.name === 'BoundError')) return error;
  const message = isError ? error.message : String(error);
  const position = isError ? positionInStack(error.stack) : undefined;
  return new InputError(`${who} threw: ${message.split('\n')[0]}`, position);
}

/** Runs the user's code on behalf of `who`. */
export function userCode<T>(who: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asInputError(who, error);
  }
}
