// Assertions that stay on in production: a broken invariant is a bug of poundlock, never a verdict.

/** Thrown for a bug of poundlock itself; the command line exits with code 2. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Holds `condition`, or throws an {@link InvariantError} that says which invariant broke. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Ends a `switch` over every value of a union: the compiler refuses it where a case is missing. */
export function unreachable(value: never): never {
  throw new InvariantError(`a case is missing for ${String(value)}`);
}
