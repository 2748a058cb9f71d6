// The horizontal layout of a diagram: step numbers, source lines, columns, the margin.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { grouped } from '@poundlock/core/internal/base';
import { placeOf } from '../trace.ts';
import { widthOf } from '../width.ts';
import type { Column } from './columns.ts';
import type { TextLine } from './drawing.ts';
import { labelOf } from './labels.ts';
import { cut, cutName, type Metrics } from './metrics.ts';
import type { Row } from './row.ts';
import type { Span } from './spans.ts';

/** Where everything is, from left to right. */
export interface Grid {
  readonly width: number;
  /** The right edges of the numbers of steps and of source lines. */
  readonly numbers: number;
  readonly places: number;
  /** The most characters of a source line; 0 where there is no room. */
  readonly placeCharacters: number;
  /** The lifeline of each column. */
  readonly lifelines: readonly number[];
  /** The head of each column, relative to the top of the rows, and their height. */
  readonly heads: readonly (readonly TextLine[])[];
  readonly headHeight: number;
  /** The left edge of the margin, and the characters of its lines. */
  readonly margin: number;
  readonly marginCharacters: number;
}

/** The most characters of a source line. */
const MAX_PLACE = 18;
/** From a lifeline to the label of a mark. */
export const LABEL_GAP = 9;

/** Places the columns. */
export function placeColumns(
  trace: readonly TraceStep[],
  columns: readonly Column[],
  rows: readonly Row[],
  { spans, tracks }: { readonly spans: readonly Span[]; readonly tracks: readonly number[] },
  metrics: Metrics,
): Grid {
  const { character, edge, track, hasLabels } = metrics;
  const shown = rows.flatMap((row) => (row.kind === 'steps' ? [row] : []));
  const digits = Math.max(1, ...shown.map(({ first, last }) => digitsOf(first, last)));
  const numbers = edge + digits * character;
  const widest = Math.max(0, ...shown.map(({ first }) => widthOf(placeOf(trace, first))));
  const placeCharacters = hasLabels ? Math.min(MAX_PLACE, widest) : 0;
  const places = numbers + (placeCharacters === 0 ? 0 : (placeCharacters + 1.5) * character);
  let x = places + 8;
  const lifelines: number[] = [];
  const heads: TextLine[][] = [];
  for (const [at, column] of columns.entries()) {
    const own = tracks.filter((_, index) => spans[index]!.column === at);
    const left = 6 + (own.length === 0 ? 0 : Math.max(...own) + 1) * track + 4;
    const labels = shown.flatMap(({ marks }) => {
      return marks.filter((mark) => mark.column === at).map((mark) => mark.steps);
    });
    const longest = Math.max(0, ...labels.map((steps) => labelOf(trace, column, steps).length));
    const right = hasLabels ? LABEL_GAP + Math.max(longest, 6) * character + 6 : 8;
    const lines = headLines(column.name, metrics);
    const head = hasLabels ? Math.max(...lines.map(widthOf)) * character + 10 : 0;
    const width = Math.max(left + right, head, metrics.minColumn);
    const lifeline = Math.max(x + left, x + head / 2);
    lifelines.push(lifeline);
    heads.push(headAt(lifeline, lines, metrics));
    x = Math.max(x + width, lifeline + right, lifeline + head / 2);
  }
  const margin = x + 8;
  const { minWidth, minMargin, maxMargin } = metrics;
  const room = Math.floor((minWidth - margin - edge) / character);
  const marginCharacters = Math.min(maxMargin, Math.max(minMargin, room));
  return {
    width: Math.ceil(Math.max(minWidth, margin + marginCharacters * character + edge)),
    numbers,
    places,
    placeCharacters,
    lifelines,
    heads,
    headHeight: headHeightOf(columns, metrics),
    margin,
    marginCharacters,
  };
}

function digitsOf(first: number, last: number): number {
  const end = grouped(last + 1).length;
  return first === last ? end : grouped(first + 1).length + 1 + end;
}

/** A name in short lines: upright heads are one line. */
function headLines(name: string, { maxHead, hasLabels }: Metrics): string[] {
  if (!hasLabels) return [cutName(name, maxHead)];
  const lines: string[] = [];
  for (const part of name.split(/(?<=[.\s_])/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= maxHead) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  return lines.map((line) => cut(line.trim(), maxHead));
}

function headAt(x: number, lines: readonly string[], metrics: Metrics): TextLine[] {
  const { lineHeight, hasLabels } = metrics;
  return lines.map((text, at) => {
    const y = hasLabels ? -10 - (lines.length - 1 - at) * lineHeight : -8;
    return { x, y, text };
  });
}

function headHeightOf(columns: readonly Column[], metrics: Metrics): number {
  const { lineHeight, character, hasLabels } = metrics;
  const all = columns.map(({ name }) => headLines(name, metrics));
  if (hasLabels) return Math.max(1, ...all.map(({ length }) => length)) * lineHeight + 12;
  return Math.max(0, ...all.map(([line]) => widthOf(line!))) * character + 14;
}
