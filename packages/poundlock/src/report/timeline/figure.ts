// The timeline of a run on a page: roles that look alike share a row.
import { grouped } from '@poundlock/core/internal/base';
import type { RunTimeline } from '@poundlock/core/internal/finding';
import { alikeRoles } from '../alike-roles.ts';
import { element } from '../html/text.ts';
import { barsOf, windowOf, type Bars } from './bars.ts';
import { timelineHtml } from './svg.ts';

/** About so many waits are in the window of the timeline. */
const SHOWN_WAITS = 80;

/** What is compared of the bars of two rows: roles that differ in names only share one. */
const COMPARED = ['start', 'end', 'look'];

/** The cycle at which the last operation of a run ends. */
export function endOf({ roles, timeline }: RunTimeline): number {
  return barsOf(timeline, roles).bars.reduce((most, { end }) => Math.max(most, end), 1);
}

/**
 * The timeline of a run below a heading; the middle of a long one.
 *
 * @param end The cycle up to which a short one is drawn: that of the longest of several.
 */
export function timelineFigure(title: string, { roles, timeline }: RunTimeline, end = 0): string[] {
  if (timeline.spans.length === 0) return [];
  const all = barsOf(timeline, roles);
  const { rows, bars } = all;
  const last = endOf({ roles, timeline });
  const part = windowOf(timeline, SHOWN_WAITS);
  const isPart = part.to - part.from < last / 2;
  const { from, to } = isPart ? part : { from: 0, to: Math.max(last, end) };
  const byRow = rows.map((_, row) =>
    bars.filter((bar) => bar.row === row && bar.end > from && bar.start < to),
  );
  const alike = alikeRoles(rows, (row) => JSON.stringify(byRow[row], COMPARED));
  // A row stands for all that look alike.
  const rowOf = new Map(alike.flatMap((one, row) => one.roles.map((old) => [old, row])));
  const moved = (row: number): number => rowOf.get(row)!;
  const shown: Bars = {
    rows: alike.map(({ name }) => name),
    bars: alike.flatMap(({ roles: [first] }, row) =>
      byRow[first!]!.map((bar) => ({ ...bar, row })),
    ),
    arrows: all.arrows.flatMap((arrow) => {
      const [fromRow, toRow] = [moved(arrow.fromRow), moved(arrow.toRow)];
      return fromRow === toRow ? [] : [{ ...arrow, fromRow, toRow }];
    }),
    path: all.path.map((piece) => ({ ...piece, row: moved(piece.row) })),
  };
  const cycles = `cycles ${grouped(Math.round(from))} to ${grouped(Math.round(to))}`;
  const about = `${cycles} of ${grouped(Math.round(last))}`;
  return [
    element('h2', title),
    ...(isPart ? [element('p', `The middle of the run: ${about}.`, 'facts')] : []),
    timelineHtml(shown, { about: `timeline of roles and units, ${about}`, from, to }),
  ];
}
