// The shapes between the rows of a diagram: arrows, spans, debts, and the legend of colors.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { widthOf } from '../width.ts';
import type { Column } from './columns.ts';
import type { DrawnArrow, DrawnSpan, LegendEntry } from './drawing.ts';
import { ownStanding } from './ends.ts';
import type { Grid } from './grid.ts';
import type { Metrics } from './metrics.ts';
import type { DiagramSource } from './source.ts';
import type { Span } from './spans.ts';

/** By index of a step: the middle of its row; `undefined` for `null`. */
export type YOfStep = (step: number | null) => number | undefined;

/** The number of colors of stages. */
const HUES = 8;
/** The most debts that are arrows, the space between them, and the most stages in the legend. */
const MAX_DEBTS = 6;
const DEBT_GAP = 7;
const MAX_LEGEND = 16;

/** Where the mark of a step is, and the right edge of what is written beside it. */
export interface MarkPlace {
  readonly x: number;
  readonly right: number;
  readonly y: number;
}

/** By index of a step; `undefined` where it is hidden. */
export type MarkOf = (step: number) => MarkPlace | undefined;

/** From each step that lets a wait pass to the wait; none within hidden steps. */
export function arrowsOf(trace: readonly TraceStep[], markOf: MarkOf, yOf: YOfStep): DrawnArrow[] {
  return trace.flatMap((step, at): DrawnArrow[] => {
    if (step.from === undefined) return [];
    const end = markOf(at);
    const start = markOf(step.from - 1);
    if (end === undefined) return [];
    if (start === undefined) return hiddenArrow(step.from, at, end, yOf);
    if (start.y === end.y) return [];
    // An arrow does not cross the words beside a mark.
    const points =
      start.x === end.x
        ? [[start.x, start.y] as const, [end.x, end.y] as const]
        : start.x < end.x
          ? [[start.right, start.y] as const, [end.x - TIP_GAP, end.y] as const]
          : [[start.x, start.y] as const, [end.right, end.y] as const];
    return [{ kind: 'passes', points, from: step.from, to: at + 1 }];
  });
}

/** From the edge of a mark to its middle. */
const TIP_GAP = 6;

/** The step that lets it pass is hidden: the arrow comes from the row that stands for it. */
function hiddenArrow(from: number, at: number, end: MarkPlace, yOf: YOfStep): DrawnArrow[] {
  const y = yOf(from - 1);
  if (y === undefined || y >= end.y) return [];
  const points = [
    [end.x - 24, Math.max(y, end.y - 24)] as const,
    [end.x - TIP_GAP, end.y] as const,
  ];
  return [{ kind: 'passes', points, from, to: at + 1 }];
}

/** From the step that issues work to the span of the work. */
export function issueLines(spans: readonly Span[], drawn: readonly DrawnSpan[], markOf: MarkOf) {
  return drawn.flatMap((span): DrawnArrow[] => {
    const issued = spans[span.index]!;
    const mark = markOf(issued.from);
    if (span.kind !== 'work' || mark === undefined) return [];
    const isRight = span.x > mark.x;
    const points = [
      [isRight ? mark.right : mark.x - TIP_GAP, mark.y] as const,
      [isRight ? span.x : span.x + span.width, mark.y] as const,
    ];
    return [{ kind: 'issues', points, from: issued.from + 1, to: issued.from + 1 }];
  });
}

/** At the end, from each role that owes something to the role that waits for it. */
export function debtArrows(
  { standing }: DiagramSource,
  columns: readonly Column[],
  { lifelines }: Grid,
  end: number,
): { readonly arrows: readonly DrawnArrow[]; readonly height: number } {
  const pairs = new Map<string, readonly [from: number, to: number]>();
  for (const [to, column] of columns.entries()) {
    for (const { owedBy = [] } of ownStanding(standing, column)) {
      for (const name of owedBy) {
        const from = columns.findIndex(({ members }) => members.includes(name));
        if (from >= 0 && from !== to) pairs.set(`${from} ${to}`, [from, to]);
      }
    }
  }
  const shown = [...pairs.values()].slice(0, MAX_DEBTS);
  const arrows = shown.map(([from, to], at): DrawnArrow => {
    const y = end + 14 + at * DEBT_GAP;
    // Two roles may owe each other: their arrows leave room for one another.
    const [x1, x2] = [lifelines[from]! + 4, lifelines[to]! - 4];
    const points = [
      [x1, end + 7],
      [x1, y],
      [x2, y],
      [x2, end + 7],
    ] as const;
    return { kind: 'owes', points, from: 0, to: 0 };
  });
  return { arrows, height: shown.length === 0 ? 0 : 8 + shown.length * DEBT_GAP };
}

interface Frame {
  readonly grid: Grid;
  readonly yOf: YOfStep;
  readonly end: number;
  readonly metrics: Metrics;
}

/** The spans beside their lifelines; none within hidden steps. */
export function drawSpans(
  spans: readonly Span[],
  tracks: readonly number[],
  stages: readonly string[],
  { grid, yOf, end, metrics }: Frame,
): DrawnSpan[] {
  const { track } = metrics;
  return spans.flatMap((span, at): DrawnSpan[] => {
    const start = yOf(span.from);
    const stop = span.to === null ? end - 6 : yOf(span.to);
    if (start === undefined || stop === undefined || start === stop) return [];
    const hue = stages.indexOf(span.slot);
    return [
      {
        index: at,
        kind: span.kind,
        x: grid.lifelines[span.column]! - 6 - (tracks[at]! + 1) * track,
        y: start,
        width: track - 2,
        height: stop - start,
        hue: hue < 0 ? -1 : hue % HUES,
        label: /\[(\d{1,2})\]/.exec(span.slot)?.[1] ?? '',
        isOpen: span.to === null,
        text: span.text,
      },
    ];
  });
}

/** The colors of the stages. */
export function legendOf(
  stages: readonly string[],
  y: number,
  width: number,
  { edge, character, lineHeight }: Metrics,
): { readonly entries: readonly LegendEntry[]; readonly bottom: number } {
  if (stages.length === 0) return { entries: [], bottom: y };
  let [x, row] = [edge, y + lineHeight];
  const entries = stages.slice(0, MAX_LEGEND).map((text, at): LegendEntry => {
    const room = 18 + widthOf(text) * character + 12;
    if (x + room > width - edge && x > edge) [x, row] = [edge, row + lineHeight];
    const entry = { hue: at % HUES, x, y: row, text };
    x += room;
    return entry;
  });
  return { entries, bottom: row + 4 };
}
