// A simulated run as bars: a row for each role and each unit, stalls by their cause.
import { grouped } from '@poundlock/core/internal/base';
import type { Timeline } from '@poundlock/core/internal/finding';

/** What a bar shows: its words in a legend, and a color that can be seen on light and dark. */
export const LOOKS = {
  busy: { text: 'works', color: '#3f7fbf' },
  full: { text: 'waits for data', color: '#d08a2e' },
  empty: { text: 'waits for space', color: '#b5564e' },
  unit: { text: 'waits for a unit', color: '#8a6fb0' },
  flight: { text: 'asynchronous work', color: '#6f9a84' },
} as const;

/** The shortest window. */
const LEAST_CYCLES = 400;

export type Look = keyof typeof LOOKS;

/** Cycles of a row that look alike. */
export interface Bar {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly look: Look;
  /** The operation. */
  readonly text?: string;
}

/** The names of rows, and their bars in any order. */
export interface Bars {
  readonly rows: readonly string[];
  readonly bars: readonly Bar[];
}

/** The operations of the roles of these names, and the asynchronous ones. */
export function barsOf(
  { spans, flights }: Pick<Timeline, 'spans' | 'flights'>,
  roles: readonly string[],
): Bars {
  const units = [...new Set(flights.map(({ unit }) => unit))];
  const ofRoles = spans.flatMap(({ role, name, start, end, stall, cause }): Bar[] => {
    const stalled = cause === null ? start : Math.min(end, start + stall);
    const work: Bar = { row: role, start: stalled, end, look: 'busy', text: name };
    if (cause === null) return [work];
    return [{ row: role, start, end: stalled, look: cause, text: name }, work];
  });
  const ofUnits = flights.map(({ unit, name, role, start, end }): Bar => {
    const text = `${name} of ${roles[role] ?? ''}`;
    return { row: roles.length + units.indexOf(unit), start, end, look: 'flight', text };
  });
  const bars = [...ofRoles, ...ofUnits].filter(({ start, end }) => end > start);
  return { rows: [...roles, ...units.map((unit) => `(${unit})`)], bars };
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

/** `waits for data: wait ab.full[0], 1,204 cycles from 3,100 on`. */
export function barText({ look, text, start, end }: Bar): string {
  const operation = text === undefined ? '' : `: ${text}`;
  const [first, length] = [start, end - start].map((cycles) => grouped(Math.round(cycles)));
  return `${LOOKS[look].text}${operation}, ${length} cycles from ${first} on`;
}
