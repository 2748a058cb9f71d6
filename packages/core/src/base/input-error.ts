// A mistake of the user: one clear line that names the file and the place, exit code 2.
import type { Position } from './position.ts';

const BRAND = Symbol.for('poundlock.InputError');

/**
 * Input that cannot be used: an invalid option or parameter, or a role that throws. The message is
 * one sentence without a trailing period.
 *
 * @example
 * import { count, InputError, kernel } from 'poundlock';
 * import { check } from 'poundlock/check';
 *
 * const bad = kernel('bad', {}, () => [void count(-1)] as never[]);
 * const error: unknown = await check(bad).catch((reason: unknown) => reason);
 * console.log(error instanceof InputError); // true
 */
export class InputError extends Error {
  // `@poundlock/ring` holds a compiled copy of this module, whose errors are the same to a caller.
  /**
   * A mark that copies of this class in other packages share.
   *
   * @internal
   */
  readonly [BRAND] = true;
  /** The name of the class: `InputError`. */
  override readonly name = 'InputError';
  /** Where the user's source has the mistake, if known. */
  readonly position: Position | undefined;

  /** Creates an error with a message and, if known, a source position. */
  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }

  /**
   * Recognizes errors of every copy of this class.
   *
   * @internal
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
