// Prepares a source line for a code frame: expands tabs, removes common indent, cuts long lines.
import { expandTabs, widthOf } from './width.ts';

/** The widest source text that is shown without cutting it to a window around the caret. */
export const MAX_SOURCE_COLUMNS = 92;
/** The part of the common indentation that stays. */
const MIN_INDENT = 2;
const CUT = '…';

/** A source line that is ready to be shown. */
export interface Excerpt {
  readonly text: string;
  /** The column (from 0) under which to put a caret for a source column (from 1). */
  readonly caretAt: (column: number) => number;
}

/** How many columns of indentation to remove from these source lines. */
export function sharedIndent(lines: readonly string[]): number {
  const indents = lines.map(expandTabs).filter((line) => line.trim() !== '');
  const least = Math.min(...indents.map((line) => line.search(/\S/)));
  return Number.isFinite(least) ? Math.max(0, least - MIN_INDENT) : 0;
}

/** Cuts `[from, from + columns)` out of a text, by terminal columns. */
function cut(text: string, from: number, columns: number): string {
  let at = 0;
  let inside = '';
  for (const character of text) {
    const width = widthOf(character);
    if (at >= from && at + width <= from + columns) inside += character;
    at += width;
  }
  return inside;
}

/**
 * Prepares `line` for a frame. A line that is too wide is cut to a window around its first caret;
 * a caret outside of the window is shown under the cut mark.
 */
export function excerpt(line: string, indent: number, columns: readonly number[]): Excerpt {
  const text = expandTabs(line).slice(indent).trimEnd();
  const place = (column: number) =>
    Math.max(0, widthOf(expandTabs(line.slice(0, Math.max(0, column - 1)))) - indent);
  const width = widthOf(text);
  if (width <= MAX_SOURCE_COLUMNS) return { text, caretAt: place };

  const room = MAX_SOURCE_COLUMNS - 2 * CUT.length;
  const first = Math.min(...columns.map(place));
  const before = Math.floor(room / 3);
  const from = first <= room ? 0 : Math.min(first - before, width - room);
  const head = from > 0 ? CUT : '';
  const tail = from + room < width ? CUT : '';
  const shown = head + cut(text, from, room) + tail;
  const last = widthOf(shown) - 1;
  const caretAt = (column: number) =>
    Math.min(Math.max(place(column) - from + head.length, 0), last);
  return { text: shown, caretAt };
}
