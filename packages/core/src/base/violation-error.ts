// A run of a kernel that breaks a rule: the input can be used, and the kernel is wrong.
import { InputError } from './input-error.ts';

const BRAND = Symbol.for('poundlock.ViolationError');

/** An error that a run of the kernel shows: a counterexample, exit code 1. */
export class ViolationError extends InputError {
  readonly [BRAND] = true;

  /** Recognizes errors of every copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
