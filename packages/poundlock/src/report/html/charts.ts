// Simulations as a page with charts: stalls, the timeline, sweeps.
import {
  completedResults,
  type Report,
  type ReportedSimulation,
} from '@poundlock/core/internal/finding';
import { alikeRoles } from '../alike-roles.ts';
import { headlineOf } from '../headline.ts';
import type { ReporterEnvironment } from '../reporter.ts';
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
  varyingParameters,
  type DetailedRun,
} from '../simulation.ts';
import { MAX_SHOWN, pageOf } from './page.ts';
import { rooflineHtml } from './roofline.ts';
import { element, tableHtml } from './text.ts';

/** The most spans that a page draws: the first ones of the window. */
const MAX_DRAWN = 1500;

/** The script of the page: draws its data in the browser. */
const SCRIPT = `
const data = JSON.parse(document.getElementById('data').textContent);
const colors = { busy: '#2f7d4f', full: '#d98e04', empty: '#c3d0db', unit: '#8a5fbf' };
const words = { busy: 'works', full: 'waits until full', empty: 'waits until empty',
  unit: 'waits for a unit' };
const axis = (text, extra = {}) => ({ title: { display: true, text }, ...extra });
const style = getComputedStyle(document.body);
Chart.defaults.color = style.color;
Chart.defaults.borderColor = style.getPropertyValue('--line');
const draw = (id, config) => new Chart(document.getElementById(id), {
  ...config, options: { animation: false, maintainAspectRatio: false, ...config.options } });
if (data.stalls) draw('stalls', { type: 'bar',
  data: { labels: data.stalls.roles, datasets: Object.keys(words).map((cause) => ({
    label: words[cause], data: data.stalls[cause], backgroundColor: colors[cause] })) },
  options: { indexAxis: 'y', scales: { x: axis('cycles', { stacked: true }),
    y: { stacked: true } } } });
if (data.timeline) draw('timeline', { type: 'bar',
  data: { labels: data.timeline.tracks, datasets: data.timeline.kinds.map(({ kind, spans }) => ({
    label: words[kind] ?? kind, backgroundColor: colors[kind] ?? '#3b78b8', grouped: false,
    barPercentage: 0.9, data: spans.map(([y, start, end]) => ({ y, x: [start, end] })) })) },
  options: { indexAxis: 'y', parsing: { xAxisKey: 'x', yAxisKey: 'y' },
    scales: { x: axis('cycles', { min: data.timeline.from, max: data.timeline.to }) } } });
if (data.sweep) draw('sweep', { type: 'line',
  data: { labels: data.sweep.labels, datasets: [{ label: 'cycles', data: data.sweep.cycles,
    borderColor: '#3b78b8', tension: 0,
    pointRadius: data.sweep.cycles.map((_, at) => (at === data.sweep.knee ? 8 : 3)),
    pointBackgroundColor: data.sweep.cycles.map((_, at) =>
      (at === data.sweep.knee ? '#2f7d4f' : '#3b78b8')) }] },
  options: { scales: { x: axis(data.sweep.name), y: axis('cycles', { beginAtZero: true }) } } });
document.body.dataset.drawn = 'yes';
`;

function stallData(run: DetailedRun): object {
  const alike = alikeTimes(run);
  const roles = alike.map((group) => run.detail.roles[group.roles[0]!]!);
  return {
    roles: alike.map(({ name }) => name),
    busy: roles.map((role) => role.busyCycles),
    full: roles.map((role) => role.stallCycles.full),
    empty: roles.map((role) => role.stallCycles.empty),
    unit: roles.map((role) => role.stallCycles.unit),
  };
}

/** What is drawn of a span. */
const WITHOUT_ROLE = ['start', 'end', 'stall', 'cause'];

type DrawnSpan = [track: string, start: number, end: number];

/** The first spans from the middle of the run on, a track for each role and unit. */
function timelineData({ detail: { timeline, roles } }: DetailedRun): object | null {
  if (timeline === null || timeline.spans.length === 0) return null;
  const last = timeline.spans.reduce((most, span) => Math.max(most, span.end), 0);
  const from = timeline.spans.length > MAX_DRAWN ? last / 2 : 0;
  const shown = timeline.spans.filter((span) => span.end >= from).slice(0, MAX_DRAWN);
  const to = shown.reduce((most, span) => Math.max(most, span.end), from);
  const kinds = new Map<string, DrawnSpan[]>();
  const add = (kind: string, span: DrawnSpan): void => {
    if (span[2] <= span[1]) return;
    const spans = kinds.get(kind) ?? [];
    kinds.set(kind, spans);
    spans.push(span);
  };
  const byRole = roles.map((_, at) => shown.filter(({ role }) => role === at));
  const names = roles.map(({ name }) => name);
  const alike = alikeRoles(names, (at) => JSON.stringify(byRole[at]!, WITHOUT_ROLE));
  const drawn = alike.flatMap(({ name, roles: [first] }) => {
    return byRole[first!]!.map((span) => ({ ...span, track: name }));
  });
  for (const { track, start, end, stall, cause } of drawn) {
    if (cause !== null) add(cause, [track, start, start + stall]);
    add('busy', [track, cause === null ? start : start + stall, end]);
  }
  for (const { unit, name, start, end } of timeline.flights) {
    if (end >= from && start <= to) add(name, [`(${unit})`, start, end]);
  }
  const units = new Set(timeline.flights.map((flight) => `(${flight.unit})`));
  const tracks = [...alike.map(({ name }) => name), ...units];
  return {
    tracks,
    from: Math.floor(from),
    to: Math.ceil(to),
    kinds: [...kinds].map(([kind, spans]) => ({ kind, spans })),
  };
}

function sweepData(report: Report, runs: readonly ReportedSimulation[]): object | null {
  if (runs.length < 2) return null;
  const names = varyingParameters(runs);
  const labels = runs.map((run) => names.map((name) => String(run.params[name])).join(' '));
  const knee = kneeIndex(report, runs);
  return { name: names.join(' '), labels, cycles: runs.map((run) => run.totalCycles), knee };
}

function chart(id: string, title: string, isLow = false): string {
  const className = isLow ? 'chart low' : 'chart';
  return `<h2>${title}</h2><div class="${className}"><canvas id="${id}"></canvas></div>`;
}

/** The page of a simulation; the charting library is inside. */
export function simulationPage(
  report: Report<'simulate'>,
  { chartLibrary }: ReporterEnvironment,
): string {
  const runs = completedResults(report);
  const [first] = runs;
  if (first === undefined) return pageOf(report, []);
  const one = detailedRun(report);
  const line = one === null ? null : timelineData(one);
  const sweep = sweepData(report, runs);
  const data = { stalls: one && stallData(one), timeline: line, sweep };
  const body = [
    element('p', headlineOf(report)),
    element('p', `${first.file} · model: ${first.model.title}`, 'facts'),
    ...first.limits.map((limit) => element('p', limit, 'caveat')),
    ...(first.model.caveat === null ? [] : [element('p', first.model.caveat, 'caveat')]),
    ...(one === null ? [] : [chart('stalls', 'Where the time of each role went', true)]),
    ...(line === null ? [] : [chart('timeline', 'Timeline')]),
    ...(sweep === null ? [] : [chart('sweep', 'Sweep')]),
    ...(one === null ? tableHtml(sweepTable(runs.slice(0, MAX_SHOWN))) : tables(one)),
  ];
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return pageOf(report, body, [
    `<script type="application/json" id="data">${json}</script>`,
    `<script>${chartLibrary().replaceAll('</script', String.raw`<\/script`)}</script>`,
    `<script>${SCRIPT}</script>`,
  ]);
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
