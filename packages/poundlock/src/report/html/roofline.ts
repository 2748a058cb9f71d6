// The roofline of a run as a drawing: what its intensity allows, and what it achieved.
import type { Roofline } from '@poundlock/core/internal/finding';
import { element } from './text.ts';

const [WIDTH, HEIGHT, MARGIN] = [480, 240, 36];
/** Decades of operations for each byte that are drawn. */
const [LEAST, MOST] = [-1, 4];
const DECADES = 3.5;

/** A line with its roofs, and a point; empty without tensor-core work. */
export function rooflineHtml(roofline: Roofline | null): string[] {
  if (roofline === null) return [];
  const { intensity, teraflops, peakTeraflops, peakGigabytesPerSecond, roof } = roofline;
  const x = (value: number): number => {
    const at = (Math.log10(value) - LEAST) / (MOST - LEAST);
    return MARGIN + Math.min(Math.max(at, 0), 1) * (WIDTH - 2 * MARGIN);
  };
  const y = (value: number): number => {
    const down = Math.log10(peakTeraflops / value) / DECADES;
    return MARGIN + Math.min(Math.max(down, 0), 1) * (HEIGHT - 2 * MARGIN);
  };
  const ridge = (peakTeraflops * 1000) / peakGigabytesPerSecond;
  const low = 10 ** LEAST;
  const points = [
    [x(low), y((low * peakGigabytesPerSecond) / 1000)],
    [x(ridge), y(peakTeraflops)],
    [x(10 ** MOST), y(peakTeraflops)],
  ];
  const path = points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ');
  const label =
    `${teraflops.toFixed(1)} of ${peakTeraflops.toFixed(1)} TFLOP/s at ` +
    `${intensity.toFixed(1)} operations a byte: the roof is the ${roof}`;
  const svg =
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="${label}">` +
    `<polyline points="${path}" fill="none" stroke="currentColor" stroke-width="2"/>` +
    `<circle cx="${x(intensity).toFixed(1)}" cy="${y(teraflops).toFixed(1)}" r="5" ` +
    `fill="#3b78b8"/><text x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle" ` +
    `fill="currentColor" font-size="12">operations a byte</text></svg>`;
  return [element('h2', 'Roofline'), svg, element('p', label)];
}
