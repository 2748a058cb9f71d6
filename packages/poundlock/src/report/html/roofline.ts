// The roofline of a run as a drawing: what its intensity allows, and what it achieved.
import type { Roofline } from '@poundlock/core/internal/finding';
import { element } from './text.ts';

const [WIDTH, HEIGHT] = [560, 280];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 16, 44];
/** The point is never closer to an edge than this, in decades. */
const ROOM = 0.4;

/** A logarithmic axis of whole decades that has room for some values. */
interface Axis {
  readonly decades: readonly number[];
  /** Where a value is: from 0 to 1. */
  share(value: number): number;
}

function axisOf(values: readonly number[]): Axis {
  const logs = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const least = Math.floor(Math.min(...logs) - ROOM);
  const most = Math.ceil(Math.max(...logs) + ROOM);
  return {
    decades: Array.from({ length: most - least + 1 }, (_, at) => 10 ** (least + at)),
    share: (value) => Math.min(Math.max((Math.log10(value) - least) / (most - least), 0), 1),
  };
}

const text = (x: number, y: number, anchor: string, words: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="currentColor" ` +
  `font-size="12">${words}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" ` +
  `stroke="currentColor" stroke-opacity="0.2"/>`;

/** A line with its roofs, and a point; empty without tensor-core work. */
export function rooflineHtml(roofline: Roofline | null): string[] {
  if (roofline === null) return [];
  const { intensity, teraflops, peakTeraflops, peakGigabytesPerSecond, roof } = roofline;
  const ridge = (peakTeraflops * 1000) / peakGigabytesPerSecond;
  const across = axisOf([intensity, ridge]);
  const up = axisOf([teraflops, peakTeraflops]);
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const x = (value: number): number => LEFT + across.share(value) * (right - LEFT);
  const y = (value: number): number => bottom - up.share(value) * (bottom - TOP);
  // The slope is drawn from where it enters the picture.
  const lowest = (up.decades[0]! * 1000) / peakGigabytesPerSecond;
  const first = Math.max(across.decades[0]!, lowest);
  const points = [
    [x(first), y((first * peakGigabytesPerSecond) / 1000)],
    [x(ridge), y(peakTeraflops)],
    [right, y(peakTeraflops)],
  ];
  const path = points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ');
  const label =
    `${teraflops.toFixed(1)} of ${peakTeraflops.toFixed(1)} TFLOP/s at ` +
    `${intensity.toFixed(1)} operations a byte: the roof is the ${roof}`;
  const grid = [
    ...across.decades.map((value) => line(x(value), TOP, x(value), bottom)),
    ...up.decades.map((value) => line(LEFT, y(value), right, y(value))),
    ...across.decades.map((value) => text(x(value), bottom + 16, 'middle', `${value}`)),
    ...up.decades.map((value) => text(LEFT - 6, y(value) + 4, 'end', `${value}`)),
    text((LEFT + right) / 2, HEIGHT - 8, 'middle', 'operations a byte'),
    `<g transform="rotate(-90)">${text(-(TOP + bottom) / 2, 14, 'middle', 'TFLOP/s')}</g>`,
  ];
  const svg =
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="${label}" ` +
    `style="max-width: 100%; height: auto">${grid.join('')}` +
    `<polyline points="${path}" fill="none" stroke="currentColor" stroke-width="2"/>` +
    `<circle cx="${x(intensity).toFixed(1)}" cy="${y(teraflops).toFixed(1)}" r="5" ` +
    `fill="#3b78b8"/></svg>`;
  return [element('h2', 'Roofline'), svg, element('p', label)];
}
