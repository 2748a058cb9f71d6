// Time over one parameter: a line for each value of the second, a panel for each of the others.
import { grouped } from '@poundlock/core/internal/base';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { escaped } from '../html/text.ts';
import { timeTitle } from './front-chart.ts';
import { place, scaleOf, startOf, type Scale } from './scale.ts';
import { label, levels, tag, type Frame } from './svg-tag.ts';
import { isCandidate, timeOf, type SweepReport, type SweptRow } from './sweep.ts';
import { sweptText } from './terminal.ts';

const WIDTH = 420;
const HEIGHT = 260;
const FRAME: Frame = { left: 64, right: 310, top: 28, bottom: 220 };
/** Colors that differ for people who cannot see some of them, too. */
const COLORS = 6;
/** The most panels of a page. */
const MAX_PANELS = 48;

function valueOf({ params, swept }: SweptRow, name: string): ParameterValue {
  return params[name] ?? swept[name] ?? '';
}

/** The panels as SVG, in the order of the sweep; none where no swept parameter is a number. */
export function lineCharts(report: SweepReport): string[] {
  const timed = report.rows.filter((row) => Number.isFinite(timeOf(row)));
  const over = report.swept.find((name) => {
    const values = new Set(timed.map((row) => valueOf(row, name)));
    return values.size > 1 && [...values].every((value) => typeof value === 'number');
  });
  if (over === undefined) return [];
  const [lines, ...panels] = report.swept.filter((name) => name !== over);
  const times = timed.map(timeOf);
  const range = [startOf(times), Math.max(...times)] as const;
  const keyOf = (row: SweptRow): string => panels.map((name) => valueOf(row, name)).join(' ');
  const groups = [...Map.groupBy(timed, keyOf).values()].slice(0, MAX_PANELS);
  return groups.map((rows) => {
    const named = panels.length === 0 ? '' : sweptText(rows[0]!, panels);
    return panel(report, { rows, over, lines, range, title: named });
  });
}

interface Panel {
  readonly rows: readonly SweptRow[];
  readonly over: string;
  readonly lines: string | undefined;
  readonly range: readonly [number, number];
  readonly title: string;
}

function panel(report: SweepReport, { rows, over, lines, range, title }: Panel): string {
  const numbers = [...new Set(rows.map((row) => Number(valueOf(row, over))))].toSorted(
    (a, b) => a - b,
  );
  const y = scaleOf(...range, [FRAME.bottom, FRAME.top]);
  const x = (value: number): number => {
    const at = numbers.indexOf(value);
    const { left, right } = FRAME;
    return left + ((right - left) * (at + 0.5)) / numbers.length;
  };
  const series = [
    ...Map.groupBy(rows, (row) => (lines === undefined ? '' : valueOf(row, lines))).entries(),
  ];
  const about = `${timeTitle(report)} over ${over}${title === '' ? '' : `, ${title}`}`;
  const ends = spread(series.map(([, each]) => y.at(timeOf(lastOf(each, over)))));
  const parts = [
    label('axis', title === '' ? timeTitle(report) : title, { x: FRAME.left, y: 14 }),
    ...axes(y, numbers, x, over),
    ...series.flatMap(([value, each], index) =>
      line(each, { over, x, y, index, end: ends[index]!, name: nameOf(lines, value) }),
    ),
  ];
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  return tag(
    'svg',
    { class: 'panel', viewBox, role: 'img', 'aria-label': about },
    parts.join('\n'),
  );
}

const nameOf = (lines: string | undefined, value: ParameterValue): string =>
  lines === undefined ? '' : `${lines}=${value}`;

function lastOf(rows: readonly SweptRow[], over: string): SweptRow {
  return rows.toSorted((a, b) => Number(valueOf(a, over)) - Number(valueOf(b, over))).at(-1)!;
}

const LABEL_GAP = 13;

/** Places of labels, in the order of their lines, so far from each other that they can be read. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, at) => at).toSorted((a, b) => wanted[a]! - wanted[b]!);
  const places = [...wanted];
  for (const [rank, at] of order.entries()) {
    const before = order[rank - 1];
    if (before !== undefined) places[at] = Math.max(places[at]!, places[before]! + LABEL_GAP);
  }
  return places;
}

function axes(
  y: Scale,
  numbers: readonly number[],
  x: (value: number) => number,
  over: string,
): string[] {
  const { left, right, bottom } = FRAME;
  const middle = { 'text-anchor': 'middle' };
  return [
    ...levels(y, FRAME, grouped),
    ...numbers.map((value) =>
      label('tick', `${value}`, { x: x(value), y: bottom + 16, ...middle }),
    ),
    label('axis', over, { x: (left + right) / 2, y: HEIGHT - 6, ...middle }),
  ];
}

interface Line {
  readonly over: string;
  readonly x: (value: number) => number;
  readonly y: Scale;
  readonly index: number;
  readonly end: number;
  readonly name: string;
}

function line(rows: readonly SweptRow[], { over, x, y, index, end, name }: Line): string[] {
  const color = `s${index % COLORS}`;
  const ordered = rows.toSorted((a, b) => Number(valueOf(a, over)) - Number(valueOf(b, over)));
  const places = ordered.map((row) => ({
    row,
    left: x(Number(valueOf(row, over))),
    top: y.at(timeOf(row)),
  }));
  const steps = places.map(({ left, top }, at) => {
    return `${at === 0 ? 'M' : 'L'}${place(left)} ${place(top)}`;
  });
  const dots = places.map(({ row, left, top }) => {
    const open = isCandidate(row) ? '' : ' open';
    const title = tag('title', {}, escaped(`${grouped(Math.round(timeOf(row)))} ${name}`));
    return tag('circle', { class: `${color}${open}`, cx: left, cy: top, r: 3.5 }, title);
  });
  const shown = label(`series ${color}`, name, { x: FRAME.right + 4, y: end + 4 });
  return [tag('path', { class: `line ${color}`, d: steps.join('') }), ...dots, shown];
}
