// The one check of every time limit that a caller gives.
import { InputError } from '../../core/src/base/index.ts';

/** Throws unless `timeoutMs` is a number of milliseconds: at least 0, or `Infinity`. */
export function requireTimeLimit(what: string, timeoutMs: unknown): void {
  if (typeof timeoutMs === 'number' && timeoutMs >= 0) return;
  const found =
    typeof timeoutMs === 'string' ? `the text ${JSON.stringify(timeoutMs)}` : String(timeoutMs);
  throw new InputError(`${what} must be a number of milliseconds of at least 0, not ${found}`);
}
