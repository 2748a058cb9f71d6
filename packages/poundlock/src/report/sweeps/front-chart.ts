// The picture of a sweep: time against shared memory, with the Pareto front as a line.
import { grouped } from '@poundlock/core/internal/base';
import { escaped } from '../html/text.ts';
import { kibibytes, remarkOf } from './columns.ts';
import { place, scaleOf, startOf, type Scale } from '../charts/scale.ts';
import { label, levels, tag, type Frame } from '../charts/tag.ts';
import { frontRows, isCandidate, timeOf, type SweepReport, type SweptRow } from './sweep.ts';
import { sweptText } from './terminal.ts';

const WIDTH = 860;
const HEIGHT = 420;
const FRAME: Frame = { left: 72, right: 836, top: 20, bottom: 368 };
const RADIUS = 5;
const CROSS = 'M-5 -5L5 5M-5 5L5 -5';
const LABEL_PIXELS = 6.6;
const LINE_PIXELS = 15;
/** From the middle of a point to the baseline of its label. */
const LABEL_GAP = 18;

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
  const x = scaleOf(0, end, [FRAME.left, FRAME.right], true);
  const times = rows.map(timeOf);
  const y = scaleOf(startOf(times), Math.max(...times), [FRAME.bottom, FRAME.top]);
  const axes = { x, y };
  const title = `${report.kernel}: ${timeTitle(report)} against shared memory`;
  const parts = [
    ...grid(axes, timeTitle(report)),
    ...limitLine(axes, limit, end),
    ...frontLine(axes, frontRows(report)),
    // The front is drawn last: on top.
    ...rows
      .toSorted((a, b) => Number(a.isFront) - Number(b.isFront))
      .map((row) => point(axes, row, report)),
    ...labels(axes, frontRows(report), report),
  ];
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  return tag(
    'svg',
    { class: 'chart', viewBox, role: 'img', 'aria-label': title },
    parts.join('\n'),
  );
}

/** What the vertical axis shows. */
export function timeTitle({ per }: SweepReport): string {
  return per === null ? 'cycles' : `cycles / (${per})`;
}

function grid({ x, y }: Axes, title: string): string[] {
  const { left, right, top, bottom } = FRAME;
  const across = x.ticks.flatMap((tick) => {
    const at = x.at(tick);
    return [
      tag('line', { class: 'grid', x1: at, x2: at, y1: top, y2: bottom }),
      label('tick', kibibytes(tick), { x: at, y: bottom + 18, 'text-anchor': 'middle' }),
    ];
  });
  const transform = `translate(14 ${(top + bottom) / 2}) rotate(-90)`;
  const under = { x: (left + right) / 2, y: HEIGHT - 8, 'text-anchor': 'middle' };
  return [
    ...levels(y, FRAME, grouped),
    ...across,
    label('axis', 'shared memory of a CTA', under),
    label('axis', title, { transform, 'text-anchor': 'middle' }),
  ];
}

function limitLine({ x }: Axes, limit: number, end: number): string[] {
  if (!Number.isFinite(limit) || limit > end) return [];
  const at = x.at(limit);
  const { top, bottom } = FRAME;
  return [
    tag('line', { class: 'limit', x1: at, x2: at, y1: top, y2: bottom }),
    label('limit', `the GPU has ${kibibytes(limit)}`, { x: at, y: top - 6, 'text-anchor': 'end' }),
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
  const [left, top] = [x.at(simulate!.sharedBytes), y.at(timeOf(row))];
  const about = [
    sweptText(row, report.swept),
    check?.verdict ?? '',
    `${grouped(Math.round(simulate!.totalCycles))} cycles, ${kibibytes(simulate!.sharedBytes)}`,
    remarkOf(row),
  ];
  const title = tag('title', {}, escaped(about.filter(Boolean).join('\n')));
  const name = classOf(row);
  if (name !== 'wrong') {
    const r = row.isFront ? RADIUS + 1 : RADIUS;
    return tag('circle', { class: name, cx: left, cy: top, r }, title);
  }
  const transform = `translate(${place(left)} ${place(top)})`;
  return tag('path', { class: name, transform, d: CROSS }, title);
}

/** The parameters of the front's points, each where no other label is. */
function labels({ x, y }: Axes, front: readonly SweptRow[], report: SweepReport): string[] {
  const taken: { left: number; right: number; y: number }[] = [];
  return front.map((row) => {
    const text = sweptText(row, report.swept);
    const width = text.length * LABEL_PIXELS;
    const [at, top] = [x.at(row.simulate!.sharedBytes), y.at(timeOf(row))];
    // To the left below a point of the front, there is neither a point nor a line.
    const left = Math.max(FRAME.left + 2, at - 9 - width);
    const isTaken = (baseline: number): boolean =>
      taken.some((box) => {
        const apart = Math.abs(box.y - baseline) >= LINE_PIXELS;
        return !apart && left < box.right && left + width > box.left;
      });
    let baseline = top + LABEL_GAP;
    while (isTaken(baseline) && baseline < FRAME.bottom - LINE_PIXELS) baseline += LINE_PIXELS;
    taken.push({ left, right: left + width, y: baseline });
    return label('label', text, { x: left, y: baseline });
  });
}
