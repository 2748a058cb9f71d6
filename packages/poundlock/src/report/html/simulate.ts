// Simulations as a page with charts: stalls, the timeline, sweeps.
import {
  completedResults,
  type Report,
  type ReportedSimulation,
} from '@poundlock/core/internal/finding';
import type { Look } from '../timeline/looks.ts';
import { timelineFigure } from '../timeline/figure.ts';
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

function timelineOf({ detail: { timeline, roles } }: DetailedRun): string[] {
  if (timeline === null) return [];
  return timelineFigure('Timeline', { roles: roles.map(({ name }) => name), timeline });
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
      : [...stallChart(one), ...timelineOf(one), ...tables(one)]),
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
