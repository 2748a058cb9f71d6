// The shape of a source file: a header comment, a bound on its length, a name with a meaning.
import type { Fault, Source } from './source.ts';

export const MAX_LINES = 500;
export const MAX_COLUMNS = 100;
export const MAX_MEDIAN_LINES = 150;

const SAYS_ITS_REASON = /^(\/\/ \S|\/\*\*)/;
const SAYS_NOTHING = /^(utils?|utilities|helpers?|misc)$/;

export function shapeFaults(file: Source): Fault[] {
  const faults = [...nameFaults(file.path)];
  if (!SAYS_ITS_REASON.test(file.text)) {
    faults.push(`${file.path}:1 the first line is a comment that says why the file exists`);
  }
  const lines = linesOf(file);
  if (lines.length > MAX_LINES) {
    faults.push(`${file.path}:${lines.length} a file has at most ${MAX_LINES} lines`);
  }
  for (const [index, line] of lines.entries()) {
    if ([...line].length <= MAX_COLUMNS) continue;
    faults.push(`${file.path}:${index + 1} a line has at most ${MAX_COLUMNS} columns`);
  }
  return faults;
}

export function nameFaults(path: string): Fault[] {
  const word = path.split(/[/.-]/).find((each) => SAYS_NOTHING.test(each));
  return word === undefined ? [] : [`${path}:1 '${word}' does not say what is in it`];
}

/** The median number of lines; 0 for no files. */
export function medianLines(files: readonly Source[]): number {
  const counts = files.map((file) => linesOf(file).length).sort((a, b) => a - b);
  return counts.length === 0 ? 0 : counts[counts.length >> 1];
}

function linesOf(file: Source): string[] {
  return file.text.replace(/\n$/, '').split('\n');
}
