// Simulations as a page with charts: stalls, the timeline, sweeps.
import { grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type Report,
  type ReportedSimulation,
} from '@poundlock/core/internal/finding';
import { alikeRoles } from '../alike-roles.ts';
import { barsOf, windowOf, type Bars } from '../timeline/bars.ts';
import type { Look } from '../timeline/looks.ts';
import { TIMELINE_STYLE, timelineHtml } from '../timeline/svg.ts';
import { LINE_CHART_STYLE, lineCharts } from '../charts/line-charts.ts';
import { headlineOf } from '../headline.ts';
import { nextChange } from '../next-change.ts';
import {
  alikeTimes,
  detailedRun,
  deviceLines,
  kneeIndex,
  pathTable,
  ringLines,
  roleTable,
  roofTable,
  stallTable,
  sweepTable,
  type DetailedRun,
} from '../simulation.ts';
import { MAX_SHOWN, pageOf } from './page.ts';
import { rooflineHtml } from './roofline.ts';
import { element, sentenceHtml, tableHtml } from './text.ts';

/** About so many waits are in the window of the timeline. */
const SHOWN_WAITS = 80;

/** Where the cycles of each role went, as one bar after the other. */
function stallChart(run: DetailedRun): string[] {
  const alike = alikeTimes(run);
  const bars = alike.flatMap(({ roles: [first] }, row) => {
    const { busyCycles, stallCycles } = run.detail.roles[first!]!;
    let end = 0;
    return Object.entries({ busy: busyCycles, ...stallCycles }).map(([look, cycles]) => {
      const start = end;
      end += cycles;
      return { row, start, end, look: look as Look };
    });
  });
  const most = Math.max(1, ...bars.map(({ end }) => end));
  const rows = alike.map(({ name }) => name);
  return [
    element('h2', 'Where the time of each role went'),
    timelineHtml(
      { rows, bars, arrows: [], path: [] },
      { about: 'cycles of each role by what it does', from: 0, to: most },
    ),
  ];
}

/** What is compared of the bars of two rows: roles that differ in names only share one. */
const COMPARED = ['start', 'end', 'look'];

function timelineChart({ detail: { timeline, roles } }: DetailedRun): string[] {
  if (timeline === null || timeline.spans.length === 0) return [];
  const names = roles.map(({ name }) => name);
  const all = barsOf(timeline, names);
  const { rows, bars } = all;
  const last = bars.reduce((most, { end }) => Math.max(most, end), 1);
  const part = windowOf(timeline, SHOWN_WAITS);
  const isPart = part.to - part.from < last / 2;
  const { from, to } = isPart ? part : { from: 0, to: last };
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
    element('h2', 'Timeline'),
    ...(isPart ? [element('p', `The middle of the run: ${about}.`, 'facts')] : []),
    timelineHtml(shown, { about: `timeline of roles and units, ${about}`, from, to }),
  ];
}

/** The time over swept parameters, and a table of all runs with the knee marked. */
function sweepHtml(report: Report, runs: readonly ReportedSimulation[]): string[] {
  const points = runs.map(({ params, totalCycles, limits }) => {
    return { params, time: totalCycles, isUsable: limits.length === 0 };
  });
  const charts = lineCharts('cycles', report.swept, points);
  const knee = kneeIndex(report, runs);
  const table = sweepTable(runs.slice(0, MAX_SHOWN));
  return [
    ...(charts.length === 0
      ? []
      : [element('h2', 'Sweep'), `<div class="panels">${charts.join('\n')}</div>`]),
    ...tableHtml(table, (row) => (row === knee ? 'good' : '')),
    ...(knee < 0 ? [] : [element('p', 'Green: the knee, within 1 % of the best.', 'facts')]),
  ];
}

/** The page of a simulation. */
export function simulationPage(report: Report<'simulate'>): string {
  const runs = completedResults(report);
  const [first] = runs;
  if (first === undefined) return pageOf(report, []);
  const one = detailedRun(report);
  const body = [
    ...(one === null ? [] : [`<p><b>${sentenceHtml(nextChange(one))}</b></p>`]),
    element('p', headlineOf(report)),
    element('p', `${first.file} · model: ${first.model.title}`, 'facts'),
    ...first.limits.map((limit) => element('p', limit, 'caveat')),
    ...(first.model.caveat === null ? [] : [element('p', first.model.caveat, 'caveat')]),
    ...(one === null
      ? sweepHtml(report, runs)
      : [...stallChart(one), ...timelineChart(one), ...tables(one)]),
  ];
  return pageOf(report, body, one === null ? LINE_CHART_STYLE : TIMELINE_STYLE);
}

function tables(run: DetailedRun): string[] {
  return [
    element('h2', 'Figures'),
    ...tableHtml(roleTable(run)),
    ...[...ringLines(run), ...deviceLines(run)].map((line) => element('p', line)),
    ...tableHtml(roofTable(run)),
    ...rooflineHtml(run.detail.device.roofline),
    ...tableHtml(pathTable(run)),
    ...tableHtml(stallTable(run)),
  ];
}
