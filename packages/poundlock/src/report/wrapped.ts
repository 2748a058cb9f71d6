// Breaks long lines of text at the width of a terminal: between words, never inside of one.
import { widthOf } from './width.ts';

/** What is copied stays whole: code in backticks is one word, with what follows it at once. */
const WORD = /(?:`[^`]*`|\S)+/g;
/** With less room than this, the lines that follow begin further left. */
const LEAST_ROOM = 24;

/** Where a text stands on its lines, in columns. */
export interface Placed {
  /** The width of a line; without one, nothing is broken. */
  readonly columns: number | undefined;
  /** What is before the text on its first line. */
  readonly before: number;
  /** What is before it on the other lines, where there is room. */
  readonly indent?: number;
}

/** The lines of a text, without what is before them. A word that is too wide has its own line. */
export function wrapped(text: string, { columns, before, indent = before }: Placed): string[] {
  if (columns === undefined || before + widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  let room = columns - before;
  for (const [word] of text.matchAll(WORD)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
    room = columns - indent;
  }
  return [...lines, line];
}

/** The lines of a text, each behind its margin. */
export function hanging(text: string, placed: Placed): string[] {
  const { columns, before, indent = before } = placed;
  const isNarrow = columns !== undefined && columns - indent < LEAST_ROOM;
  const left = isNarrow ? Math.min(indent, 4) : indent;
  const [first, ...others] = wrapped(text, { columns, before, indent: left });
  return [first!, ...others.map((line) => ' '.repeat(left) + line)];
}
