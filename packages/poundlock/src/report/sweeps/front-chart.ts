// The picture of a sweep: time against shared memory, with the Pareto front as a line.
import { grouped } from '@poundlock/core/internal/base';
import { escaped } from '../html/text.ts';
import { kibibytes, remarkOf } from './columns.ts';
import { place, scaleOf, startOf, type Scale } from './scale.ts';
import { frontRows, isCandidate, timeOf, type SweepReport, type SweptRow } from './sweep.ts';
import { sweptText } from './terminal.ts';

const WIDTH = 860;
const HEIGHT = 420;
const LEFT = 72;
const RIGHT = 24;
const TOP = 20;
const BOTTOM = 52;
const RADIUS = 5;
const LABEL_PIXELS = 6.6;
const LINE_PIXELS = 15;

interface Axes {
  readonly x: Scale;
  readonly y: Scale;
}

/** The picture as SVG; empty where nothing has both a time and a memory. */
export function frontChart(report: SweepReport): string {
  const rows = report.rows.filter(({ simulate }) => simulate !== undefined);
  const [first] = rows;
  if (first === undefined) return '';
  const limit = first.simulate!.mostSharedBytes;
  const bytes = rows.map(({ simulate }) => simulate!.sharedBytes);
  const most = Math.max(...bytes);
  // The limit of the GPU is part of the picture where some row comes near to it.
  const end = Number.isFinite(limit) && most > limit / 2 ? Math.max(most, limit) : most;
  const x = scaleOf(0, end, [LEFT, WIDTH - RIGHT], true);
  const times = rows.map(timeOf);
  const y = scaleOf(startOf(times), Math.max(...times), [HEIGHT - BOTTOM, TOP]);
  const axes = { x, y };
  const title = `${report.kernel}: ${timeTitle(report)} against shared memory`;
  return [
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    ...grid(axes, timeTitle(report)),
    ...limitLine(axes, limit, end),
    ...frontLine(axes, frontRows(report)),
    ...rows.map((row) => point(axes, row, report)),
    ...labels(axes, frontRows(report), report),
    '</svg>',
  ].join('\n');
}

/** What the vertical axis shows. */
export function timeTitle({ per }: SweepReport): string {
  return per === null ? 'cycles' : `cycles / (${per})`;
}

function grid({ x, y }: Axes, title: string): string[] {
  const bottom = HEIGHT - BOTTOM;
  return [
    ...y.ticks.map((tick) => {
      const at = place(y.at(tick));
      const line = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
      return `${line}<text class="tick" x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${grouped(tick)}</text>`;
    }),
    ...x.ticks.map((tick) => {
      const at = place(x.at(tick));
      const line = `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}"/>`;
      const text = escaped(kibibytes(tick));
      return `${line}<text class="tick" x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>`;
    }),
    `<text class="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">shared memory of a CTA</text>`,
    `<text class="axis" transform="translate(14 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(title)}</text>`,
  ];
}

function limitLine({ x }: Axes, limit: number, end: number): string[] {
  if (!Number.isFinite(limit) || limit > end) return [];
  const at = place(x.at(limit));
  const text = `the GPU has ${kibibytes(limit)}`;
  return [
    `<line class="limit" x1="${at}" x2="${at}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`,
    `<text class="limit" x="${at}" y="${TOP - 6}" text-anchor="end">${escaped(text)}</text>`,
  ];
}

/** Steps: between two points of the front, more memory gains nothing. */
function frontLine({ x, y }: Axes, front: readonly SweptRow[]): string[] {
  if (front.length < 2) return [];
  const steps = front.map((row, at) => {
    const [left, top] = [place(x.at(row.simulate!.sharedBytes)), place(y.at(timeOf(row)))];
    return at === 0 ? `M${left} ${top}` : `H${left}V${top}`;
  });
  return [`<path class="front" d="${steps.join('')}"/>`];
}

function classOf(row: SweptRow): string {
  if (row.isFront) return 'on-front';
  if (row.check?.verdict === 'counterexample') return 'wrong';
  return isCandidate(row) ? 'right' : 'open';
}

function point({ x, y }: Axes, row: SweptRow, report: SweepReport): string {
  const { simulate, check } = row;
  const [left, top] = [place(x.at(simulate!.sharedBytes)), place(y.at(timeOf(row)))];
  const about = [
    sweptText(row, report.swept),
    check?.verdict ?? '',
    `${grouped(Math.round(simulate!.totalCycles))} cycles, ${kibibytes(simulate!.sharedBytes)}`,
    remarkOf(row),
  ];
  const title = `<title>${escaped(about.filter(Boolean).join('\n'))}</title>`;
  const name = classOf(row);
  if (name !== 'wrong') {
    return `<circle class="${name}" cx="${left}" cy="${top}" r="${row.isFront ? RADIUS + 1 : RADIUS}">${title}</circle>`;
  }
  const cross = `M-${RADIUS} -${RADIUS}L${RADIUS} ${RADIUS}M-${RADIUS} ${RADIUS}L${RADIUS} -${RADIUS}`;
  return `<path class="wrong" transform="translate(${left} ${top})" d="${cross}">${title}</path>`;
}

/** The parameters of the front's points, each where no other label is. */
function labels({ x, y }: Axes, front: readonly SweptRow[], report: SweepReport): string[] {
  const taken: { left: number; right: number; y: number }[] = [];
  return front.map((row) => {
    const text = sweptText(row, report.swept);
    const width = text.length * LABEL_PIXELS;
    const [at, top] = [x.at(row.simulate!.sharedBytes), y.at(timeOf(row))];
    const left = Math.min(at + 9, WIDTH - RIGHT - width);
    const isTaken = (baseline: number): boolean =>
      taken.some((box) => {
        const apart = Math.abs(box.y - baseline) >= LINE_PIXELS;
        return !apart && left < box.right && left + width > box.left;
      });
    // Below the front nothing is drawn: rows are on or above it.
    let baseline = top + LINE_PIXELS;
    while (isTaken(baseline) && baseline < HEIGHT - BOTTOM - LINE_PIXELS) baseline += LINE_PIXELS;
    taken.push({ left, right: left + width, y: baseline });
    return `<text class="label" x="${place(left)}" y="${place(baseline)}">${escaped(text)}</text>`;
  });
}
