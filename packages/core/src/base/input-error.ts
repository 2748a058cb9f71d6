// A mistake of the user: one clear line that names the file and the place, exit code 2.
import type { Position } from './position.ts';

const BRAND = Symbol.for('poundlock.InputError');

/**
 * Input that cannot be run: a bad parameter, a role that throws, a yielded value that is no
 * operation. `message` is one sentence without a trailing full stop; `position` is where the user
 * wrote it, if it is known.
 *
 * @example
 * throw new InputError('stages must be a whole number of at least 1, not 0', position);
 */
export class InputError extends Error {
  // `@poundlock/ring` holds a compiled copy of this module, whose errors are the same to a caller.
  readonly [BRAND] = true;
  override readonly name = 'InputError';
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
