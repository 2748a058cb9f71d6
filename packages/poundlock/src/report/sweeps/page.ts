// A sweep as a page: time against memory, time over each parameter, and the table.
import type { RunTimeline } from '@poundlock/core/internal/finding';
import { LINE_CHART_STYLE, lineCharts } from '../charts/line-charts.ts';
import { STYLE } from '../html/style.ts';
import { element, escaped, tableHtml } from '../html/text.ts';
import { timelineFigure } from '../timeline/figure.ts';
import { TIMELINE_STYLE } from '../timeline/svg.ts';
import { columnsOfSweep, kibibytes, remarkOf } from './columns.ts';
import { frontChart, timeTitle } from './front-chart.ts';
import {
  bestOfValues,
  countOf,
  frontRows,
  isCandidate,
  timeOf,
  type SweepReport,
  type SweptRow,
} from './sweep.ts';
import { sweptText } from './terminal.ts';
import { verdictLines } from './verdicts.ts';

/** The most rows of the table of a page. */
const MAX_SHOWN = 5_000;

const CHART_STYLE = `${LINE_CHART_STYLE}${TIMELINE_STYLE}
svg.chart { width: 100%; height: auto; max-width: 60rem } svg text.label { fill: var(--text);
  font-size: 11px; paint-order: stroke; stroke: var(--back); stroke-width: 3px }
svg line.limit { stroke: var(--error); stroke-dasharray: 5 4 } svg text.limit { fill: var(--error) }
svg .front { fill: none; stroke: var(--good); stroke-width: 2 }
svg circle.on-front { fill: var(--good) } svg circle.right { fill: var(--link); opacity: .75 }
svg circle.open { stroke-width: 1.5 }
svg path.wrong { stroke: var(--error); stroke-width: 2; fill: none }
td { min-width: 4rem }
`;

/** The page of a sweep, which needs no other file. */
export function sweepPage(report: SweepReport, fastest?: RunTimeline): string {
  const title = `${report.kernel} – poundlock sweep`;
  const chart = frontChart(report);
  const points = report.rows.map((row) => {
    const params = { ...row.swept, ...row.params };
    return { params, time: timeOf(row), isUsable: isCandidate(row) };
  });
  const panels = lineCharts(timeTitle(report), report.swept, points);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}${CHART_STYLE}</style></head><body>
${[
  element('h1', `${report.kernel}: ${countOf(report)}`),
  element('p', factsOf(report), 'facts'),
  ...(chart === '' ? [] : [element('h2', 'Time against shared memory'), chart, KEY]),
  ...frontTable(report),
  ...(fastest === undefined ? [] : timelineFigure('The fastest row', fastest)),
  ...valueTable(report),
  ...(panels.length === 0
    ? []
    : [
        element('h2', `${timeTitle(report)} over ${report.swept[0]}`),
        `<div class="panels">${panels.join('\n')}</div>`,
      ]),
  element('h2', 'All rows'),
  ...table(report),
  ...verdictLines(report).map((line) => element('p', line, 'facts')),
].join('\n')}
<footer>${escaped(`poundlock ${report.tool.version}`)}</footer>
</body></html>
`;
}

const KEY =
  '<p class="facts">Green: on the Pareto front, with its steps as a line. Blue: another row that ' +
  'can be used. Hollow: undecided, or it cannot be launched. Red cross: wrong. ' +
  'Point at one for its numbers.</p>';

function factsOf({ file, model, verbs }: SweepReport): string {
  return `${file}, ${verbs.join(', ')}, model ${model}`;
}

function frontTable(report: SweepReport): string[] {
  const front = frontRows(report);
  const fastest = front.at(-1);
  if (fastest === undefined) return [];
  const rows = front.map((row) => [
    sweptText(row, report.swept),
    kibibytes(row.simulate!.sharedBytes),
    `${(timeOf(row) / timeOf(fastest)).toFixed(2)}×`,
    row.simulate!.bottleneck?.what ?? '',
  ]);
  const heading = [
    { title: 'Pareto front', isNumber: false },
    { title: 'shared memory', isNumber: true },
    { title: 'time', isNumber: true },
    { title: 'most of the time', isNumber: false },
  ];
  return tableHtml({ heading, rows });
}

function valueTable(report: SweepReport): string[] {
  const rows = bestOfValues(report).map(({ name, value, row, slower }) => [
    name,
    String(value),
    `${slower.toFixed(3)}×`,
    sweptText(row, report.swept),
  ]);
  if (rows.length === 0) return [];
  const heading = [
    { title: 'parameter', isNumber: false },
    { title: 'value', isNumber: true },
    { title: 'best time', isNumber: true },
    { title: 'with', isNumber: false },
  ];
  return [element('h2', 'What each value costs'), ...tableHtml({ heading, rows })];
}

function table(report: SweepReport): string[] {
  const columns = columnsOfSweep(report);
  const shown = report.rows.slice(0, MAX_SHOWN);
  const heading = columns.map(({ title, isNumber }) => ({ title, isNumber }));
  const rows = shown.map((row) => columns.map((column) => column.shown(row)));
  return tableHtml({ heading, rows }, (at) => rowClass(shown[at]!));
}

function rowClass(row: SweptRow): string {
  if (row.error !== undefined) return 'error';
  if (row.isFront) return 'good';
  return row.check?.verdict === 'certified' || remarkOf(row) === ''
    ? ''
    : (row.check?.verdict ?? '');
}
