// What a user can get wrong: one clear line that names the file and the place, exit code 2.
import type { Position } from './position.ts';

/**
 * Input that cannot be run: a bad parameter, a role that throws, a yielded value that is no
 * operation. `message` is one sentence without a trailing full stop; `position` is where the user
 * wrote it, if it is known.
 *
 * @example
 * throw new InputError('stages must be a whole number of at least 1, not 0', position);
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}
