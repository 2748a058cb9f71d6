// A simulated run as bars over cycles: a row for each role and unit, signals and the critical path.
import { grouped, type Position } from '@poundlock/core/internal/base';
import type { Timeline, TimelineSpan } from '@poundlock/core/internal/finding';
import { LOOKS, type Look } from './looks.ts';

/** The shortest window. */
const LEAST_CYCLES = 400;

/** A line of the program text. */
export type BarPlace = Pick<Position, 'file' | 'line'>;

/** Cycles of a row that look alike. */
export interface Bar {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly look: Look;
  /** The operation. */
  readonly text?: string;
  readonly place?: BarPlace;
}

/** From a signal to the end of the wait that it ends. */
export interface BarArrow {
  readonly fromRow: number;
  readonly start: number;
  readonly toRow: number;
  readonly end: number;
}

/** The names of rows, and their bars in any order. */
export interface Bars {
  readonly rows: readonly string[];
  readonly bars: readonly Bar[];
  readonly arrows: readonly BarArrow[];
  /** What the end of the run waited for, from its start on. */
  readonly path: readonly Pick<Bar, 'row' | 'start' | 'end'>[];
}

/** What of a timeline is drawn; places are known to some callers. */
export interface DrawnTimeline extends Pick<Timeline, 'flights' | 'signals' | 'path'> {
  readonly spans: readonly (TimelineSpan & { readonly place?: BarPlace })[];
}

/** The operations of the roles of these names, and the asynchronous ones. */
export function barsOf(timeline: DrawnTimeline, roles: readonly string[]): Bars {
  const { spans, flights, signals, path } = timeline;
  const units = [...new Set(flights.map(({ unit }) => unit))];
  const rowOf = (role: number, flight: number): number => {
    const work = flights[flight];
    return work === undefined ? role : roles.length + units.indexOf(work.unit);
  };
  const ofRoles = spans.flatMap(({ role, name, start, end, stall, cause, place }): Bar[] => {
    const stalled = cause === null ? start : Math.min(end, start + stall);
    const common = { row: role, text: name, ...(place !== undefined && { place }) };
    const work: Bar = { ...common, start: stalled, end, look: 'busy' };
    return cause === null ? [work] : [{ ...common, start, end: stalled, look: cause }, work];
  });
  const ofUnits = flights.map(({ name, role, start, end }, at): Bar => {
    const text = `${name} of ${roles[role] ?? ''}`;
    return { row: rowOf(role, at), start, end, look: 'flight', text };
  });
  const arrows = spans.flatMap(({ role, start, stall, signal }): BarArrow[] => {
    const cause = signals[signal];
    if (cause === undefined || stall === 0) return [];
    const fromRow = rowOf(cause.role, cause.flight);
    if (fromRow < 0 || fromRow === role) return [];
    return [{ fromRow, start: cause.time, toRow: role, end: start + stall }];
  });
  return {
    rows: [...roles, ...units.map((unit) => `(${unit})`)],
    bars: [...ofRoles, ...ofUnits].filter(({ start, end }) => end > start),
    arrows,
    path: path
      .map(({ role, flight, start, end }) => ({ row: rowOf(role, flight), start, end }))
      .toReversed(),
  };
}

/** A window in the middle of the run that shows about so many waits. */
export function windowOf({ spans }: Pick<Timeline, 'spans'>, shownWaits: number) {
  const last = spans.reduce((most, span) => Math.max(most, span.end), 0);
  const waits = spans.filter((span) => span.stall > 0);
  const gap = last / Math.max(1, waits.length);
  const length = Math.min(last, Math.max(gap * shownWaits, LEAST_CYCLES));
  const from = Math.max(0, last / 2 - length / 2);
  return { from, to: from + length };
}

/** `waits for data: wait ab.full[0], 1,204 cycles from 3,100 on, gemm.ts:24`. */
export function barText({ look, text, start, end, place }: Bar): string {
  const operation = text === undefined ? '' : `: ${text}`;
  const [first, length] = [start, end - start].map((cycles) => grouped(Math.round(cycles)));
  const at = place === undefined ? '' : `, ${lineText(place)}`;
  return `${LOOKS[look].text}${operation}, ${length} cycles from ${first} on${at}`;
}

/** `gemm.ts:24`. */
export function lineText({ file, line }: BarPlace): string {
  return `${file.split('/').at(-1)}:${line}`;
}
