// Time over one parameter: a line for each value of the second, a panel for each of the others.
import { grouped } from '@poundlock/core/internal/base';
import type { Parameters, ParameterValue } from '@poundlock/core/internal/finding';
import { escaped } from '../html/text.ts';
import { place, scaleOf, startOf, type Scale } from './scale.ts';
import { label, levels, tag, type Frame } from './tag.ts';

const WIDTH = 420;
const HEIGHT = 260;
const FRAME: Frame = { left: 64, right: 310, top: 28, bottom: 220 };
/** Colors that differ for people who cannot see some of them, too. */
const COLORS = 6;
/** The most panels of a page, and the most values of an axis that have a label. */
const MAX_PANELS = 48;
const MAX_LABELS = 12;

export const LINE_CHART_STYLE = `
svg.panel { width: 100%; height: auto; max-width: 28rem }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: .5rem }
svg text { font: 12px system-ui, sans-serif; fill: var(--muted) } svg text.axis {
  fill: var(--text) } svg .grid { stroke: var(--line); stroke-width: 1 }
svg .line { fill: none; stroke-width: 2 } svg text.series { font-size: 11px }
:root { --s0: #0b62b8; --s1: #b45309; --s2: #1a7f37; --s3: #8a3fb0; --s4: #b3261e; --s5: #55606b }
@media (prefers-color-scheme: dark) { :root { --s0: #6cb6ff; --s1: #f0a04b; --s2: #5fd47a;
  --s3: #d2a8ff; --s4: #ff8a80; --s5: #aab4be } }
${Array.from({ length: COLORS }, (_, at) => {
  const fill = `svg circle.s${at}, svg text.s${at} { fill: var(--s${at}) }`;
  return `svg path.s${at} { stroke: var(--s${at}) } ${fill}`;
}).join('\n')}
svg circle[class$="open"] { fill: var(--back); stroke: var(--warning) }
`;

/** The time with one set of parameters. */
export interface TimedPoint {
  readonly params: Parameters;
  readonly time: number;
  /** Whether nothing is known against it: others are hollow. */
  readonly isUsable: boolean;
}

/** The panels as SVG, in the order of the sweep; none where no swept parameter is a number. */
export function lineCharts(
  title: string,
  swept: readonly string[],
  points: readonly TimedPoint[],
): string[] {
  const timed = points.filter(({ time }) => Number.isFinite(time));
  const over = swept.find((name) => {
    const values = new Set(timed.map((row) => valueOf(row, name)));
    return values.size > 1 && [...values].every((value) => typeof value === 'number');
  });
  if (over === undefined) return [];
  const [lines, ...panels] = swept.filter((name) => name !== over);
  const times = timed.map(({ time }) => time);
  const range = [startOf(times), Math.max(...times)] as const;
  const keyOf = (row: TimedPoint): string =>
    panels.map((name) => `${name}=${valueOf(row, name)}`).join(' ');
  const groups = [...Map.groupBy(timed, keyOf)].slice(0, MAX_PANELS);
  return groups.map(([named, rows]) => panel(title, { rows, over, lines, range, title: named }));
}

function valueOf({ params }: TimedPoint, name: string): ParameterValue {
  return params[name] ?? '';
}

interface Panel {
  readonly rows: readonly TimedPoint[];
  readonly over: string;
  readonly lines: string | undefined;
  readonly range: readonly [number, number];
  readonly title: string;
}

function panel(timeTitle: string, { rows, over, lines, range, title }: Panel): string {
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
  const about = `${timeTitle} over ${over}${title === '' ? '' : `, ${title}`}`;
  const ends = spread(series.map(([, each]) => y.at(lastOf(each, over).time)));
  const parts = [
    label('axis', title === '' ? timeTitle : title, { x: FRAME.left, y: 14 }),
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

function lastOf(rows: readonly TimedPoint[], over: string): TimedPoint {
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
    ...numbers
      .filter((_, at) => at % Math.ceil(numbers.length / MAX_LABELS) === 0)
      .map((value) => label('tick', `${value}`, { x: x(value), y: bottom + 16, ...middle })),
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

function line(rows: readonly TimedPoint[], { over, x, y, index, end, name }: Line): string[] {
  const color = `s${index % COLORS}`;
  const ordered = rows.toSorted((a, b) => Number(valueOf(a, over)) - Number(valueOf(b, over)));
  const places = ordered.map((row) => ({
    row,
    left: x(Number(valueOf(row, over))),
    top: y.at(row.time),
  }));
  const steps = places.map(({ left, top }, at) => {
    return `${at === 0 ? 'M' : 'L'}${place(left)} ${place(top)}`;
  });
  const dots = places.map(({ row, left, top }) => {
    const open = row.isUsable ? '' : ' open';
    const about = `${over}=${valueOf(row, over)} ${name}`.trim();
    const title = tag('title', {}, escaped(`${about}: ${grouped(Math.round(row.time))}`));
    return tag('circle', { class: `${color}${open}`, cx: left, cy: top, r: 3.5 }, title);
  });
  const shown = label(`series ${color}`, name, { x: FRAME.right + 4, y: end + 4 });
  return [tag('path', { class: `line ${color}`, d: steps.join('') }), ...dots, shown];
}
