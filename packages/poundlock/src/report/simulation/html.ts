// The reporter for a browser: one page that stands alone, with the charting library inside.
import type { SimulateResult } from '../../simulate/index.ts';
import { parametersAsText } from '../summary.ts';
import { grouped } from '@poundlock/core/internal/base';
import { kneeOf } from './knee.ts';
import type { SimulationReport, SimulationReporter } from './report.ts';
import { varyingParameters } from './sweep.ts';

/** The most spans that a page draws: the first ones of the window are enough to read. */
const MAX_DRAWN = 1500;

const STYLE = `
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b2733; }
h1 { font-size: 1.4rem; margin-bottom: 0.2rem } h2 { font-size: 1.05rem; margin-top: 2rem }
p.facts { margin: 0.2rem 0; color: #51606e } .caveat { color: #a33 }
.chart { position: relative; height: 22rem } .chart.low { height: 14rem }
`;

/** Draws what the page carries as data; runs in the browser. */
const SCRIPT = `
const data = JSON.parse(document.getElementById('data').textContent);
const colours = { busy: '#2f7d4f', full: '#d98e04', empty: '#c3d0db', unit: '#8a5fbf' };
const words = { busy: 'works', full: 'waits until full', empty: 'waits until empty',
  unit: 'waits for a unit' };
const axis = (text, extra = {}) => ({ title: { display: true, text }, ...extra });
const draw = (id, config) => new Chart(document.getElementById(id), {
  ...config, options: { animation: false, maintainAspectRatio: false, ...config.options } });
if (data.stalls) draw('stalls', { type: 'bar',
  data: { labels: data.stalls.roles, datasets: Object.keys(words).map((cause) => ({
    label: words[cause], data: data.stalls[cause], backgroundColor: colours[cause] })) },
  options: { indexAxis: 'y', scales: { x: axis('cycles', { stacked: true }),
    y: { stacked: true } } } });
if (data.timeline) draw('timeline', { type: 'bar',
  data: { labels: data.timeline.tracks, datasets: data.timeline.kinds.map(({ kind, spans }) => ({
    label: words[kind] ?? kind, backgroundColor: colours[kind] ?? '#3b78b8', grouped: false,
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

/** Text that can stand in a page. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function stallData({ roles }: SimulateResult): object {
  return {
    roles: roles.map((role) => role.name),
    busy: roles.map((role) => role.busyCycles),
    full: roles.map((role) => role.stallCycles.full),
    empty: roles.map((role) => role.stallCycles.empty),
    unit: roles.map((role) => role.stallCycles.unit),
  };
}

type DrawnSpan = [track: string, start: number, end: number];

/** The first spans from the middle of the run on, a track for each role and unit. */
function timelineData({ recording, roles }: SimulateResult): object | null {
  if (recording === null || recording.spans.length === 0) return null;
  const last = recording.spans.reduce((most, span) => Math.max(most, span.end), 0);
  const from = recording.spans.length > MAX_DRAWN ? last / 2 : 0;
  const shown = recording.spans.filter((span) => span.end >= from).slice(0, MAX_DRAWN);
  const to = shown.reduce((most, span) => Math.max(most, span.end), from);
  const kinds = new Map<string, DrawnSpan[]>();
  const add = (kind: string, span: DrawnSpan): void => {
    if (span[2] <= span[1]) return;
    const spans = kinds.get(kind) ?? [];
    kinds.set(kind, spans);
    spans.push(span);
  };
  for (const { role, start, end, stall, cause } of shown) {
    const track = roles[role]!.name;
    if (cause !== null) add(cause, [track, start, start + stall]);
    add('busy', [track, cause === null ? start : start + stall, end]);
  }
  for (const { unit, name, start, end } of recording.flights) {
    if (end >= from && start <= to) add(name, [unit, start, end]);
  }
  const units = new Set(recording.flights.map((flight) => flight.unit));
  const tracks = [...roles.map((role) => role.name), ...units];
  return {
    tracks,
    from: Math.floor(from),
    to: Math.ceil(to),
    kinds: [...kinds].map(([kind, spans]) => ({ kind, spans })),
  };
}

function sweepData({ runs, swept }: SimulationReport): object | null {
  if (runs.length < 2) return null;
  const names = varyingParameters(runs);
  const labels = runs.map((run) => names.map((name) => String(run.params[name])).join(' '));
  const knee = swept.length === 1 ? kneeOf(runs) : -1;
  return { name: names.join(' '), labels, cycles: runs.map((run) => run.totalCycles), knee };
}

function facts({ single, runs, model }: SimulationReport): string[] {
  const lines = [`model: ${model.title}`];
  if (single === null) lines.push(`${grouped(runs.length)} runs`);
  else {
    const { params, totalCycles } = single;
    lines.push(parametersAsText(params), `${grouped(totalCycles)} cycles`);
  }
  return lines.map((line) => `<p class="facts">${escaped(line)}</p>`);
}

function chart(id: string, title: string, isLow = false): string {
  const className = isLow ? 'chart low' : 'chart';
  return `<h2>${title}</h2><div class="${className}"><canvas id="${id}"></canvas></div>`;
}

/** One page; everything that it needs is inside. */
export function simulationPage(report: SimulationReport, library: string): string {
  const { single, kernel, model } = report;
  const sweep = sweepData(report);
  const line = single === null ? null : timelineData(single);
  const data = { stalls: single && stallData(single), timeline: line, sweep };
  const body = [
    `<h1>${escaped(kernel)}</h1>`,
    ...facts(report),
    ...(model.caveat === null ? [] : [`<p class="caveat">${escaped(model.caveat)}</p>`]),
    ...(single === null ? [] : [chart('stalls', 'Where the time of each role went', true)]),
    ...(line === null ? [] : [chart('timeline', 'Timeline')]),
    ...(sweep === null ? [] : [chart('sweep', 'Sweep')]),
  ];
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(kernel)} – poundlock simulate</title>
<style>${STYLE}</style></head><body>
${body.join('\n')}
<script type="application/json" id="data">${json}</script>
<script>${library.replaceAll('</script', String.raw`<\/script`)}</script>
<script>${SCRIPT}</script>
</body></html>
`;
}

export const simulationHtml: SimulationReporter = {
  name: 'html',
  render: (report, { chartLibrary }) => simulationPage(report, chartLibrary()),
};
