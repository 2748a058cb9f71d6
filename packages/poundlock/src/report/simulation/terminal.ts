// The reporter for people: where the time of a run went, or how it changes over many runs.
import type { GpuModel, SimulateResult } from '../../simulate/index.ts';
import { formatPosition, grouped } from '@poundlock/core/internal/base';
import type { Paint } from '../paint.ts';
import { parametersAsText } from '../summary.ts';
import { padded, widthOf } from '../width.ts';
import type { SimulationReport, SimulationReporter } from './report.ts';
import { bar, sweepTable } from './sweep.ts';
import { timeline, TIMELINE_KEY } from './timeline.ts';

const BAR_COLUMNS = 24;
const SHOWN_LINES = 8;

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Cells as columns, numbers to the right. */
function aligned(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]!))));
  return rows.map((row, index) => {
    const line = row.map((cell, at) => padded(cell, widths[at]!, at === 0 ? undefined : 'left'));
    const text = line.join('  ').trimEnd();
    return index === 0 ? paint.faint(text) : text;
  });
}

function modelLine({ title, caveat }: GpuModel, paint: Paint): string {
  return caveat === null ? `model: ${title}` : `model: ${title} ${paint.warning(`(${caveat})`)}`;
}

function roleTable({ roles }: SimulateResult, paint: Paint): string[] {
  const rows = roles.map(({ name, busyCycles, stallCycles: { full, empty, unit } }) => {
    const lived = busyCycles + full + empty + unit;
    const cells = [busyCycles, full, empty, unit].map((cycles) => percent(cycles, lived));
    return [name, grouped(busyCycles), ...cells];
  });
  const titles = ['role', 'busy cycles', 'busy', 'wait full', 'wait empty', 'wait unit'];
  const [heading, ...lines] = aligned([titles, ...rows], paint);
  const bars = roles.map(({ busyCycles, stallCycles: { full, empty, unit } }) =>
    bar(busyCycles / (busyCycles + full + empty + unit), BAR_COLUMNS),
  );
  return [heading!, ...lines.map((line, at) => `${line}  ${paint.good(bars[at]!)}`)];
}

function stallLines({ lines, totalCycles }: SimulateResult, paint: Paint): string[] {
  const shown = lines.slice(0, SHOWN_LINES).map(({ role, cause, times, cycles, ...place }) => {
    const at = place.file === undefined ? '' : formatPosition(place as Required<typeof place>);
    return [
      role,
      `waits ${cause}`,
      grouped(times),
      grouped(cycles),
      percent(cycles, totalCycles),
      at,
    ];
  });
  if (shown.length === 0) return ['no role ever waits'];
  return aligned([['where', 'why', 'times', 'cycles', 'of the run', ''], ...shown], paint);
}

function pathLines({ criticalPath, totalCycles }: SimulateResult, paint: Paint): string[] {
  const words = { role: 'works', wake: 'wakes up', flight: 'is under way' } as const;
  const rows = criticalPath.map(({ what, name, cycles }) => [
    `${name} ${words[what]}`,
    grouped(Math.round(cycles)),
    percent(cycles, totalCycles),
  ]);
  return rows.length === 0 ? [] : aligned([['critical path', 'cycles', 'share'], ...rows], paint);
}

function single(result: SimulateResult, model: GpuModel, paint: Paint): string[] {
  const { kernel, params, totalCycles, rings } = result;
  const { clockMegahertz } = model;
  const time = `${(totalCycles / clockMegahertz).toFixed(1)} µs at ${clockMegahertz} MHz`;
  const span = clockMegahertz > 0 ? ` · ${time}` : '';
  const parts = [
    [
      `${paint.strong(kernel)} (${parametersAsText(params)})`,
      `${paint.strong(`${grouped(totalCycles)} cycles`)}${span}`,
      modelLine(model, paint),
    ],
    roleTable(result, paint),
    rings.map(({ name, stages, meanOccupancy }) => {
      return `ring ${name}: ${meanOccupancy.toFixed(2)} of ${stages} stages are full on average`;
    }),
    pathLines(result, paint),
    stallLines(result, paint),
    timeline(result, paint),
    result.recording === null ? [] : [paint.faint(TIMELINE_KEY)],
  ];
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, at) => (at === 0 ? part : ['', ...part]));
}

function many(report: SimulationReport, paint: Paint): string[] {
  return [
    `${paint.strong(report.kernel)}: ${grouped(report.runs.length)} runs`,
    modelLine(report.model, paint),
    '',
    ...sweepTable(report, paint),
  ];
}

export const simulationTerminal: SimulationReporter = {
  name: 'terminal',
  render(report, { paint }) {
    const { single: one, model } = report;
    const lines = one === null ? many(report, paint) : single(one, model, paint);
    return `${lines.join('\n')}\n`;
  },
};
