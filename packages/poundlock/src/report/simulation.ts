// Tables and lines of simulations that all reporters share.
import { formatPosition, grouped } from '@poundlock/core/internal/base';
import type {
  ModelSummary,
  ReportedSimulation,
  Report,
  Roofline,
  SimulationDetail,
} from '@poundlock/core/internal/finding';
import { completedResults } from '@poundlock/core/internal/finding';
import { alikeRoles, type AlikeRoles } from './alike-roles.ts';
import { kneeOf } from './knee.ts';
import type { Table } from './table-data.ts';
import { LOOKS, PATH_WORDS } from './timeline/looks.ts';

/** A run with all of its statistics. */
export type DetailedRun = ReportedSimulation & { readonly detail: SimulationDetail };

const SHOWN_LINES = 8;

/** The single run of a report in detail; `null` for several runs. */
export function detailedRun(report: Report<'simulate'>): DetailedRun | null {
  const [result] = completedResults(report);
  const detail = result?.detail ?? null;
  return result === undefined || detail === null ? null : { ...result, detail };
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Titles of text columns and of numeric columns. */
function tableOf(words: readonly string[], numbers: readonly string[], rows: Table['rows']): Table {
  const heading = [
    ...words.map((title) => ({ title, isNumber: false })),
    ...numbers.map((title) => ({ title, isNumber: true })),
  ];
  return { heading, rows };
}

/** `12,345 cycles · 6.2 µs at 1980 MHz`. */
export function cyclesText({ totalCycles, model }: ReportedSimulation): string {
  const cycles = `${grouped(totalCycles)} cycles`;
  return `${cycles}${timeText(totalCycles, model)}`;
}

/** ` · 6.2 µs at 1980 MHz`; empty if a cycle has no duration. */
export function timeText(totalCycles: number, { clockMegahertz }: ModelSummary): string {
  if (clockMegahertz === 0) return '';
  return ` · ${(totalCycles / clockMegahertz).toFixed(1)} µs at ${clockMegahertz} MHz`;
}

/** Roles that were as busy as one another, and stalled for the same causes. */
export function alikeTimes({ detail: { roles } }: DetailedRun): AlikeRoles[] {
  const names = roles.map(({ name }) => name);
  return alikeRoles(names, (role) => JSON.stringify({ ...roles[role]!, name: '' }));
}

/** The columns of what roles do. */
const ROLE_LOOKS = ['busy', 'full', 'empty', 'unit'] as const;

/** How busy each role was, and the causes of its stalls. */
export function roleTable(run: DetailedRun): Table {
  const rows = alikeTimes(run).map(({ name, roles }) => {
    const { busyCycles, stallCycles } = run.detail.roles[roles[0]!]!;
    const { full, empty, unit } = stallCycles;
    const total = busyCycles + full + empty + unit;
    const cells = [busyCycles, full, empty, unit].map((cycles) => percent(cycles, total));
    return [name, grouped(busyCycles), ...cells];
  });
  return tableOf(['role'], ['busy cycles', ...ROLE_LOOKS.map((look) => LOOKS[look].text)], rows);
}

/** `ring ab: 1.48 of 3 stages are full on average`. */
export function ringLines({ detail: { rings } }: DetailedRun): string[] {
  return rings.map(({ name, stages, meanOccupancy }) => {
    return `ring ${name}: ${meanOccupancy.toFixed(2)} of ${stages} stages are full on average`;
  });
}

const rounded = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : value.toFixed(1);

/** What the run took of each resource, and the most that there is. */
export function roofTable({ detail: { device } }: DetailedRun): Table {
  const rows = device.roofs.map(({ name, achieved, peak, unit }) => [
    name,
    `${rounded(achieved)} ${unit}`,
    `${rounded(peak)} ${unit}`,
    percent(achieved, peak),
  ]);
  return tableOf(['resource'], ['achieved', 'limit', 'used'], rows);
}

/** How the launch fills the GPU, and the roof over it. */
export function deviceLines({ detail: { device } }: DetailedRun): string[] {
  const { sharedBytes, ctas, fitting, limitedBy, waves, tailCtas } = device.occupancy;
  const fits = fitting === 1 ? 'CTA fits' : 'CTAs fit';
  const fit = `${grouped(fitting)} ${fits} on an SM (${limitedBy})`;
  const tail = tailCtas === 0 ? '' : `, the last one with ${grouped(tailCtas)} CTAs`;
  const inWaves = `${waves} wave${waves === 1 ? '' : 's'}`;
  const filled = `${grouped(ctas)} CTA${ctas === 1 ? '' : 's'} in ${inWaves}`;
  const isKnown = sharedBytes > 0;
  const shared = isKnown
    ? `${grouped(sharedBytes)} B of shared memory`
    : 'no declared shared memory';
  const isAbstract = device.microseconds === 0;
  const occupancy = isAbstract ? [] : [`occupancy: ${shared}; ${fit}; ${filled}${tail}`];
  return [...occupancy, ...rooflineLines(device.roofline), ...device.accuracy];
}

function rooflineLines(roofline: Roofline | null): string[] {
  if (roofline === null) return [];
  const { intensity, teraflops, peakTeraflops, roof } = roofline;
  const at = `${rounded(intensity)} operations a byte, under the roof of the ${roof}`;
  return [`roofline: ${rounded(teraflops)} of ${rounded(peakTeraflops)} TFLOP/s at ${at}`];
}

/** The shares of the critical path, longest first. */
export function pathTable({ detail }: DetailedRun): Table {
  const { waveCycles } = detail.device;
  const rows = detail.criticalPath.map(({ what, name, cycles }) => [
    `${name} ${PATH_WORDS[what]}`,
    grouped(Math.round(cycles)),
    percent(cycles, waveCycles),
  ]);
  return tableOf(['critical path'], ['cycles', 'share'], rows);
}

/** The source lines at which roles stalled longest. */
export function stallTable({ detail }: DetailedRun): Table {
  const { lines, device } = detail;
  const { occupancy, waveCycles } = device;
  const names = lines.map(({ role }) => role);
  const alike = alikeRoles(names, (line) => JSON.stringify({ ...lines[line]!, role: '' }));
  const rows = alike.slice(0, SHOWN_LINES).map(({ name, roles: [first] }) => {
    const { cause, times, cycles, ...place } = lines[first!]!;
    const at = place.file === undefined ? '' : formatPosition(place as Required<typeof place>);
    const share = percent(cycles, waveCycles);
    return [name, LOOKS[cause].text, grouped(times), grouped(cycles), share, at];
  });
  const of = occupancy.waves > 1 ? 'of a wave' : 'of the run';
  const { heading } = tableOf(['where', 'why'], ['times', 'cycles', of], []);
  return { heading: [...heading, { title: '', isNumber: false }], rows };
}

/** The parameters in which the runs differ. */
export function varyingParameters(runs: readonly ReportedSimulation[]): string[] {
  const [first] = runs;
  return Object.keys(first?.params ?? {}).filter((name) =>
    runs.some((run) => run.params[name] !== first!.params[name]),
  );
}

/** The run at the knee of a sweep of one parameter; −1 for other sweeps, which have a front. */
export function kneeIndex({ swept }: Report, runs: readonly ReportedSimulation[]): number {
  return swept.length === 1 && runs.length > 1 ? kneeOf(runs) : -1;
}

/** One row for each run: its parameters and its cycles. */
export function sweepTable(runs: readonly ReportedSimulation[]): Table {
  const names = varyingParameters(runs);
  const hasLimits = runs.some(({ limits }) => limits.length > 0);
  const rows = runs.map((run) => [
    ...names.map((name) => String(run.params[name])),
    grouped(run.totalCycles),
    ...(hasLimits ? [run.limits.length > 0 ? 'does not fit' : ''] : []),
  ]);
  const numbers = [...names, 'cycles'].map((title) => ({ title, isNumber: true }));
  return { heading: hasLimits ? [...numbers, { title: '', isNumber: false }] : numbers, rows };
}
