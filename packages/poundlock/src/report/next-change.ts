// The sentence with which a simulated run begins: what holds it up, and what would help.
import { formatPosition } from '@poundlock/core/internal/base';
import type { Roof } from '@poundlock/core/internal/finding';
import { shellWord } from './command.ts';
import type { DetailedRun } from './simulation.ts';
import { LOOKS } from './timeline/looks.ts';

/** From this share of its limit on, a resource is what the time is. */
const LIMITING = 0.85;
/** From this share of the critical path on, so is the work of a role. */
const MOST_OF_PATH = 0.5;
/** A shorter wait is not worth a change. */
const LEAST_WAIT = 0.05;

/** `mma waits for data 38 % of the run (gemm.ts:30:30): with stages=4 … 14 % fewer cycles`. */
export function nextChange(run: DetailedRun): string {
  const { device, criticalPath, moreStages } = run.detail;
  const [roof] = device.roofs;
  const used = roof === undefined ? 0 : roof.achieved / roof.peak;
  if (used >= LIMITING)
    return `the limit is the ${roof!.name}, used to ${percent(used)}: only less work is faster`;
  if (device.timed === 'warps') return warpsLine(roof, used);
  const [longest] = criticalPath;
  const share = longest === undefined ? 0 : longest.cycles / device.waveCycles;
  if (moreStages.best === null && longest?.what === 'role' && share >= MOST_OF_PATH)
    return `${longest.name} works ${percent(share)} of the run: less work there is faster`;
  return waitLine(run) ?? 'no role waits for long: only less work is faster';
}

/** What warps wait for that issue side by side, where nothing is used to its limit. */
function warpsLine(roof: Roof | undefined, used: number): string {
  const most = roof === undefined ? '' : `: the ${roof.name} is used most, to ${percent(used)}`;
  return `nothing is used to its limit${most}; more warps, or more loads in flight, are faster`;
}

/** The longest wait, and what would help. */
function waitLine(run: DetailedRun): string | null {
  const { device, lines, moreStages } = run.detail;
  // Who waits for space is ahead of others: more stages may help, and nothing else there.
  const wait = lines.find(({ cause }) => moreStages.best !== null || cause !== 'empty') ?? lines[0];
  const share = wait === undefined ? 0 : wait.cycles / device.waveCycles;
  if (wait === undefined || share < LEAST_WAIT) return null;
  const { role, cause, file, line, column } = wait;
  const isPlaced = file !== undefined && line !== undefined && column !== undefined;
  const at = isPlaced ? ` (${formatPosition({ file, line, column })})` : '';
  return `${role} ${LOOKS[cause].text} ${percent(share)} of the run${at}: ${helpOf(run)}`;
}

/** What would help, as far as it was tried. */
function helpOf({ file, totalCycles, detail: { moreStages } }: DetailedRun): string {
  const { tried, best } = moreStages;
  const advise = `\`poundlock advise ${shellWord(file)}\``;
  if (best !== null) {
    const fewer = percent(1 - best.totalCycles / totalCycles);
    return `with ${best.parameter}=${best.value} the run takes ${fewer} fewer cycles`;
  }
  return tried > 0
    ? `more stages do not help, ${advise} tries its release points`
    : `${advise} tries what would shorten it`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
