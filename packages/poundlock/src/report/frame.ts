// The code frame: every place of a finding under its own source line.
import type { SourceLocation } from '@poundlock/core/internal/finding';
import { excerpt, sharedIndent } from './excerpt.ts';
import type { Paint } from './paint.ts';
import { joined } from './joined-places.ts';
import { readablePlaces } from './readable.ts';
import { hanging } from './wrapped.ts';

/** Returns line `line` (from 1) of a file; `undefined` if it can not be read. */
export type SourceLine = (file: string, line: number) => string | undefined;

/** A position under a source line: the column (from 0) of its caret in the shown text. */
export interface FramePlace {
  readonly at: number;
  readonly text: string;
  readonly isPrimary: boolean;
}

/** A source line that is ready to be shown, with the places on it. */
export interface FrameLine {
  readonly line: number;
  readonly text: string;
  readonly places: readonly FramePlace[];
}

export interface FrameFile {
  readonly file: string;
  readonly lines: readonly FrameLine[];
}

/** The places of a finding: its primary one first, none twice. */
export function distinctPlaces<P extends SourceLocation>(places: readonly P[]): P[] {
  const keys = places.map(({ file, line, column, text }) =>
    JSON.stringify([file, line, column, text]),
  );
  return places.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

/** How wide the gutter's line numbers are. */
export function gutterWidth(all: readonly SourceLocation[], sourceLine: SourceLine): number {
  const places = readablePlaces(all, sourceLine);
  return String(Math.max(...places.map((place) => place.line))).length;
}

/** The places by file in order of appearance, and by line within a file; the first is primary. */
export function frameFiles(all: readonly SourceLocation[], sourceLine: SourceLine): FrameFile[] {
  const places = distinctPlaces(readablePlaces(all, sourceLine)).map((place, index) => {
    return { ...place, isPrimary: index === 0 };
  });
  return [...Map.groupBy(places, (place) => place.file)].map(([file, here]) => {
    const byLine = [...Map.groupBy(here, (place) => place.line)].sort(([a], [b]) => a - b);
    const sources = byLine.map(([line]) => sourceLine(file, line));
    const indent = sharedIndent(sources.filter((source) => source !== undefined));
    const lines = byLine.map(([line, onLine], index) => {
      const sorted = joined(onLine.sort((a, b) => a.column - b.column));
      const source = sources[index];
      const columns = sorted.map((place) => place.column);
      const { text, caretAt } = excerpt(source ?? '', indent, columns);
      const shown = sorted.map((place) => ({
        at: source === undefined ? 0 : caretAt(place.column),
        text: place.text,
        isPrimary: place.isPrimary,
      }));
      const origin = sorted[0]?.origin;
      return { line, text: origin === undefined ? text : `${text}  // ${origin}`, places: shown };
    });
    return { file, lines };
  });
}

/** Renders the positions: `primary` is painted by `severity`, the others as explanations. */
export function codeFrame(
  all: readonly SourceLocation[],
  sourceLine: SourceLine,
  paint: Paint,
  severity: (text: string) => string,
  columns?: number,
): string[] {
  const margin = ' '.repeat(gutterWidth(all, sourceLine) + 1);
  const bar = paint.frame('│');
  const output: string[] = [];
  for (const { file, lines } of frameFiles(all, sourceLine)) {
    const corner = output.length === 0 ? '╭─' : '├─';
    output.push(`${margin}${paint.frame(corner)} ${file}`);
    for (const { line, text, places } of lines) {
      const number = paint.frame(String(line).padStart(margin.length - 1));
      output.push(`${number} ${bar} ${text}`.trimEnd());
      for (const place of places) {
        const color = place.isPrimary ? severity : paint.frame;
        // Below its caret; what is left of it are the margin and the bar.
        const left = margin.length + 2;
        const placed = { columns: columns && columns - left, before: place.at + 2 };
        const [first, ...others] = hanging(place.text, placed);
        output.push(`${margin}${bar} ${' '.repeat(place.at)}${color(`^ ${first}`)}`);
        for (const other of others) output.push(`${margin}${bar} ${color(other)}`);
      }
    }
  }
  output.push(`${margin}${paint.frame('╰─')}`);
  return output;
}
