// Simulations for the terminal: where time was spent, or how it changes over many runs.
import { counted, grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type ModelSummary,
  type Report,
  type ReportedSimulation,
} from '@poundlock/core/internal/finding';
import { nextChange } from '../next-change.ts';
import type { Paint } from '../paint.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { alikeTimes, detailedRun, deviceLines, pathTable, ringLines } from '../simulation.ts';
import { roleTable, roofTable, stallTable } from '../simulation.ts';
import { cyclesText, timeText, type DetailedRun } from '../simulation.ts';
import { parametersAsText, titleOf } from '../summary.ts';
import type { Table } from '../table-data.ts';
import { padded, widthOf } from '../width.ts';
import { bar, sweepLines } from './sweep.ts';
import { TIMELINE_KEY, timelineLines } from './timeline.ts';

const BAR_COLUMNS = 24;

/** One run in detail, or a table of all runs. */
export function simulationText(
  report: Report<'simulate'>,
  { paint, schedules }: ReporterEnvironment,
): string {
  const runs = completedResults(report);
  if (runs.length === 0) return '';
  const one = detailedRun(report);
  const ofOne = schedules === 'whole' ? detailLines : shortLines;
  const lines = one === null ? batchLines(report, runs, paint) : ofOne(one, paint);
  return `${lines.join('\n')}\n`;
}

/** Rows of the tables of a short answer, and the sentences of each kind. */
const MAX_ROLES = 4;
const MAX_STALLS = 3;
const MAX_SENTENCES = 2;

/** What a person acts on, in at most twenty lines. */
function shortLines(run: DetailedRun, paint: Paint): string[] {
  const { model, limits, detail } = run;
  const sentences = (all: readonly string[]) => all.slice(0, MAX_SENTENCES);
  return joinedParts([
    [
      paint.strong(nextChange(run)),
      `${titleOf(run)}: ${cyclesText(run)} · ${modelLine(model, paint)}`,
      ...sentences(limits).map(paint.warning),
      ...sentences(detail.device.accuracy),
    ],
    shortened(roleLines(run, paint), MAX_ROLES, 'row'),
    shortened(stallLines(run, paint), MAX_STALLS, 'line'),
    [paint.faint('all figures, and the timeline: --details')],
  ]);
}

/** The first rows of a table below its heading. */
function shortened(lines: readonly string[], most: number, noun: string): string[] {
  const more = lines.length - 1 - most;
  if (more <= 1) return [...lines];
  return [...lines.slice(0, most + 1), `and ${counted(more, `more ${noun}`)}`];
}

function detailLines(run: DetailedRun, paint: Paint): string[] {
  const { kernel, params, totalCycles, model } = run;
  const cycles = paint.strong(`${grouped(totalCycles)} cycles`);
  const parts = [
    [
      paint.strong(nextChange(run)),
      `${paint.strong(kernel)} (${parametersAsText(params)})`,
      `${cycles}${timeText(totalCycles, model)}`,
      modelLine(model, paint),
      ...run.limits.map((limit) => paint.warning(limit)),
    ],
    roleLines(run, paint),
    ringLines(run),
    aligned(roofTable(run), paint),
    deviceLines(run),
    aligned(pathTable(run), paint),
    stallLines(run, paint),
    timelineLines(run, paint),
    run.detail.timeline === null ? [] : [paint.faint(TIMELINE_KEY)],
  ];
  return joinedParts(parts);
}

/** Parts with an empty line between them. */
function joinedParts(parts: readonly (readonly string[])[]): string[] {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, at) => (at === 0 ? part : ['', ...part]));
}

function batchLines(
  report: Report<'simulate'>,
  runs: readonly ReportedSimulation[],
  paint: Paint,
): string[] {
  const [{ kernel, model }] = runs as readonly [ReportedSimulation];
  return [
    `${paint.strong(kernel)}: ${grouped(runs.length)} runs`,
    modelLine(model, paint),
    '',
    ...sweepLines(report, runs, paint),
  ];
}

function modelLine({ title, caveat }: ModelSummary, paint: Paint): string {
  return caveat === null ? `model: ${title}` : `model: ${title} ${paint.warning(`(${caveat})`)}`;
}

function roleLines(run: DetailedRun, paint: Paint): string[] {
  const [heading, ...lines] = aligned(roleTable(run), paint);
  const bars = alikeTimes(run).map(({ roles }) => {
    const { busyCycles, stallCycles } = run.detail.roles[roles[0]!]!;
    const { full, empty, unit } = stallCycles;
    return bar(busyCycles / (busyCycles + full + empty + unit), BAR_COLUMNS);
  });
  return [heading!, ...lines.map((line, at) => `${line}  ${paint.good(bars[at]!)}`)];
}

function stallLines(run: DetailedRun, paint: Paint): string[] {
  const lines = aligned(stallTable(run), paint);
  return lines.length === 0 ? ['no role ever waits'] : lines;
}

/** A table in columns, numbers right-aligned; empty without rows. */
function aligned({ heading, rows }: Table, paint: Paint): string[] {
  if (rows.length === 0) return [];
  const all = [heading.map(({ title }) => title), ...rows];
  const widths = heading.map((_, at) => Math.max(...all.map((row) => widthOf(row[at]!))));
  return all.map((row, index) => {
    const line = row.map((cell, at) => padded(cell, widths[at]!, at === 0 ? undefined : 'left'));
    const text = line.join('  ').trimEnd();
    return index === 0 ? paint.faint(text) : text;
  });
}
