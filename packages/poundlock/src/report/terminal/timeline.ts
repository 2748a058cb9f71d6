// The timeline in the terminal: time runs downward, one column for each role and unit.
import type { Paint } from '../paint.ts';
import { grouped } from '@poundlock/core/internal/base';
import type { TimelineSpan } from '@poundlock/core/internal/finding';
import { alikeRoles } from '../alike-roles.ts';
import type { DetailedRun } from '../simulation.ts';
import { windowOf } from '../timeline/bars.ts';
import { LOOKS, type Look } from '../timeline/looks.ts';
import { padded, widthOf } from '../width.ts';

const ROWS = 36;
const LEAST_COLUMN = 8;
/** How many waits of all roles the window shows. */
const SHOWN_WAITS = 10;

type Glyph = Exclude<Look, 'flight'> | 'none';

/** The legend of the glyphs. */
export const TIMELINE_KEY = `${Object.values(LOOKS)
  .filter(({ glyph }) => glyph !== '')
  .map(({ glyph, text }) => `${glyph} ${text}`)
  .join('  ')}  digits: ${LOOKS.flight.text}`;

/** The predominant activity of a role between two times. */
function glyphAt(spans: readonly TimelineSpan[], from: number, to: number): Glyph {
  const cycles: Record<Glyph, number> = { busy: 0, full: 0, empty: 0, unit: 0, none: 0 };
  for (const span of spans) {
    if (span.end <= from || span.start >= to) continue;
    const stallEnd = span.start + span.stall;
    const overlap = (a: number, b: number): number =>
      Math.max(0, Math.min(b, to) - Math.max(a, from));
    if (span.cause !== null) cycles[span.cause] += overlap(span.start, stallEnd);
    cycles.busy += overlap(span.cause === null ? span.start : stallEnd, span.end);
  }
  const order: Glyph[] = ['busy', 'full', 'empty', 'unit'];
  return order.reduce<Glyph>((best, one) => (cycles[one] > cycles[best] ? one : best), 'none');
}

/** The rows of the timeline; none without a recording. */
export function timelineLines({ detail }: DetailedRun, paint: Paint): string[] {
  const { timeline, roles } = detail;
  if (timeline === null || timeline.spans.length === 0) return [];
  const { from, to } = windowOf(timeline, SHOWN_WAITS);
  const step = (to - from) / ROWS;
  const inWindow = timeline.spans.filter((span) => span.end > from && span.start < to);
  const times = Array.from({ length: ROWS }, (_, row) => ({
    start: from + row * step,
    end: from + (row + 1) * step,
  }));
  const byRole = roles.map((_, role) => {
    const spans = inWindow.filter((span) => span.role === role);
    return times.map(({ start, end }) => glyphAt(spans, start, end));
  });
  const names = roles.map(({ name }) => name);
  const columns = alikeRoles(names, (role) => byRole[role]!.join(' '));
  const units = [...new Set(timeline.flights.map((flight) => flight.unit))];
  const titles = [...columns.map(({ name }) => name), ...units];
  const widths = titles.map((title) => Math.max(widthOf(title), LEAST_COLUMN));
  const heading = titles.map((title, at) => padded(title, widths[at]!)).join('  ');
  const rows = times.map(({ start, end }, row) => {
    const cells = columns.map(({ roles: [first] }, at) => {
      const glyph = byRole[first!]![row]!;
      const drawn = (glyph === 'none' ? ' ' : LOOKS[glyph].glyph).repeat(widths[at]!);
      return glyph === 'busy' ? paint.good(drawn) : paint.warning(drawn);
    });
    const open = units.map((unit, at) => {
      const flights = timeline.flights.filter(
        (flight) => flight.unit === unit && flight.start < end && flight.end > start,
      );
      const text = flights.length === 0 ? '' : String(flights.length);
      return paint.frame(padded(text, widths[columns.length + at]!));
    });
    const label = padded(grouped(Math.round(start)), 10, 'left');
    return `${paint.faint(label)}  ${[...cells, ...open].join('  ')}`.trimEnd();
  });
  return [`${' '.repeat(10)}  ${paint.faint(heading.trimEnd())}`, ...rows];
}
