// Cuts a text to a number of characters, and says what was cut.
import { counted } from '@poundlock/core/internal/base';

/** The characters of an answer, unless specified, and the bounds of what can be specified. */
export const DEFAULT_CHARACTERS = 8_000;
export const MIN_CHARACTERS = 500;
export const MAX_CHARACTERS = 100_000;
/** The share of the room that the end of a text gets: the verdict stands there. */
const END_SHARE = 0.3;
/** Room for the line that says what was cut. */
const NOTE = 80;

export interface Bounded {
  readonly text: string;
  /** Lines that were left out. */
  readonly cutLines: number;
}

/** Leaves out lines in the middle of `text`, so that at most `most` characters are left. */
export function bounded(text: string, most: number): Bounded {
  if (text.length <= most) return { text, cutLines: 0 };
  const lines = text.split('\n').map((line) => shortened(line, most / 2 - NOTE));
  const end = taken(lines.toReversed(), (most - NOTE) * END_SHARE).toReversed();
  const rest = lines.slice(0, lines.length - end.length);
  const start = taken(rest, most - NOTE - lengthOf(end));
  const cutLines = rest.length - start.length;
  const note = `[${counted(cutLines, 'line')} left out here: raise maxCharacters to see more]`;
  return { text: [...start, note, ...end].join('\n'), cutLines };
}

function shortened(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most)} […]`;
}

/** As many of the first lines as fit. */
function taken(lines: readonly string[], room: number): string[] {
  let left = room;
  const count = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return lines.slice(0, count < 0 ? lines.length : count);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
