// Time over one parameter: a line for each value of the second, a panel for each of the others.
import { grouped } from '@poundlock/core/internal/base';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { escaped } from '../html/text.ts';
import { timeTitle } from './front-chart.ts';
import { place, scaleOf, startOf, type Scale } from './scale.ts';
import { isCandidate, timeOf, type SweepReport, type SweptRow } from './sweep.ts';
import { sweptText } from './terminal.ts';

const WIDTH = 420;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 110;
const TOP = 28;
const BOTTOM = 40;
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
  const y = scaleOf(...range, [HEIGHT - BOTTOM, TOP]);
  const x = (value: number): number => {
    const at = numbers.indexOf(value);
    return LEFT + ((WIDTH - RIGHT - LEFT) * (at + 0.5)) / numbers.length;
  };
  const series = [
    ...Map.groupBy(rows, (row) => (lines === undefined ? '' : valueOf(row, lines))).entries(),
  ];
  const about = `${timeTitle(report)} over ${over}${title === '' ? '' : `, ${title}`}`;
  const ends = spread(series.map(([, each]) => y.at(timeOf(lastOf(each, over)))));
  return [
    `<svg class="panel" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(about)}">`,
    `<text class="axis" x="${LEFT}" y="14">${escaped(title === '' ? timeTitle(report) : title)}</text>`,
    ...axes(y, numbers, x, over),
    ...series.flatMap(([value, each], index) =>
      line(each, { over, x, y, index, end: ends[index]!, name: nameOf(lines, value) }),
    ),
    '</svg>',
  ].join('\n');
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
  const bottom = HEIGHT - BOTTOM;
  return [
    ...y.ticks.map((tick) => {
      const at = place(y.at(tick));
      const rule = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
      return `${rule}<text class="tick" x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${grouped(tick)}</text>`;
    }),
    ...numbers.map(
      (value) =>
        `<text class="tick" x="${place(x(value))}" y="${bottom + 16}" text-anchor="middle">${value}</text>`,
    ),
    `<text class="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(over)}</text>`,
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
    left: place(x(Number(valueOf(row, over)))),
    top: place(y.at(timeOf(row))),
  }));
  const path = places.map(({ left, top }, at) => `${at === 0 ? 'M' : 'L'}${left} ${top}`).join('');
  const dots = places.map(({ row, left, top }) => {
    const isOpen = isCandidate(row) ? '' : ' open';
    const cycles = `${grouped(Math.round(timeOf(row)))} ${name}`;
    return `<circle class="${color}${isOpen}" cx="${left}" cy="${top}" r="3.5"><title>${escaped(cycles)}</title></circle>`;
  });
  const label = `<text class="series ${color}" x="${WIDTH - RIGHT + 4}" y="${place(end + 4)}">${escaped(name)}</text>`;
  return [`<path class="line ${color}" d="${path}"/>`, ...dots, label];
}
