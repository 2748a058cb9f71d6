// What other threads report of an error: its message, and the line where it was thrown.
import { formatPosition, positionInStack } from '../../core/src/base/index.ts';

/** The name and message of an error, and its line, or `null` where that is not known. */
export function describeError(error: unknown): { cause: string; line: string | null } {
  if (!(error instanceof Error)) return { cause: String(error), line: null };
  const position = positionInStack(error.stack);
  const line = position === undefined ? null : formatPosition(position);
  return { cause: `${error.name}: ${error.message}`, line };
}
