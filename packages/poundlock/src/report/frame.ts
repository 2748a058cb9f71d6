// The code frame: every place of a finding under its own source line.
import type { SourceLocation } from '@poundlock/core/internal/finding';
import { excerpt, sharedIndent } from './excerpt.ts';
import type { Paint } from './paint.ts';

/** Answers line `line` (from 1) of a file, `undefined` when it cannot be read. */
export type SourceLine = (file: string, line: number) => string | undefined;

interface FrameLine {
  readonly line: number;
  readonly source: string | undefined;
  readonly places: readonly SourceLocation[];
}

/** The places of a finding: its primary one first, none twice. */
export function distinctPlaces(places: readonly SourceLocation[]): SourceLocation[] {
  const keys = places.map(({ file, line, column, text }) =>
    JSON.stringify([file, line, column, text]),
  );
  return places.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

function linesOf(places: readonly SourceLocation[], sourceLine: SourceLine): FrameLine[] {
  const numbers = [...new Set(places.map((place) => place.line))].sort((a, b) => a - b);
  return numbers.map((line) => {
    const here = places.filter((place) => place.line === line);
    const source = sourceLine(here[0]!.file, line);
    return { line, source, places: here.sort((a, b) => a.column - b.column) };
  });
}

/** How wide the gutter's line numbers are. */
export function gutterWidth(places: readonly SourceLocation[]): number {
  return String(Math.max(...places.map((place) => place.line))).length;
}

/**
 * Renders the places, file by file in order of appearance, line by line within a file. `primary`
 * is painted as `severity` says, the others as what explains it.
 */
export function codeFrame(
  all: readonly SourceLocation[],
  sourceLine: SourceLine,
  paint: Paint,
  severity: (text: string) => string,
): string[] {
  const places = distinctPlaces(all);
  const [primary] = places;
  const margin = ' '.repeat(gutterWidth(places) + 1);
  const bar = paint.frame('│');
  const output: string[] = [];
  for (const file of new Set(places.map((place) => place.file))) {
    const corner = output.length === 0 ? '╭─' : '├─';
    output.push(`${margin}${paint.frame(corner)} ${file}`);
    const lines = linesOf(
      places.filter((place) => place.file === file),
      sourceLine,
    );
    const indent = sharedIndent(lines.flatMap((line) => line.source ?? []));
    for (const { line, source, places: here } of lines) {
      const columns = here.map((place) => place.column);
      const shown = excerpt(source ?? '', indent, columns);
      const number = paint.frame(String(line).padStart(margin.length - 1));
      output.push(`${number} ${bar} ${shown.text}`.trimEnd());
      for (const place of here) {
        const at = source === undefined ? 0 : shown.caretAt(place.column);
        const color = place === primary ? severity : paint.frame;
        output.push(`${margin}${bar} ${' '.repeat(at)}${color(`^ ${place.text}`)}`);
      }
    }
  }
  output.push(`${margin}${paint.frame('╰─')}`);
  return output;
}
