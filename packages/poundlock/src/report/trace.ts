// A schedule as a space-time table: a column for each role and unit, a row for each step.
import type {
  BarrierState,
  SlotState,
  Standing,
  TraceStep,
} from '@poundlock/core/internal/finding';
import { folded, type Fold } from '@poundlock/core/internal/replay';
import type { Paint } from './paint.ts';
import { counted, grouped } from '@poundlock/core/internal/base';
import { agentName, lanesOf, laneRow, type TimelineLane } from './lanes.ts';
import { padded, widthOf } from './width.ts';

/** The shown rows of a longer schedule, unless all are requested: its start and its end. */
export const FOLDED: { readonly first: number; readonly last: number } = { first: 12, last: 18 };
/** The width that a row tries not to exceed. */
export const MAX_ROW_COLUMNS = 100;

/** `ab.full[0]: phase 0→1 (parity 1), pending 1/1`. */
export function barrierText(state: BarrierState, completed: number): string {
  const { name, phase, parity, pending, expected, txBytes } = state;
  const phases = completed > 0 ? `${phase - completed}→${phase}` : String(phase);
  const bytes = txBytes === 0 ? '' : `, tx ${grouped(txBytes)} B`;
  return `${name}: phase ${phases} (parity ${parity}), pending ${pending}/${expected}${bytes}`;
}

/** `ab[0]: held by mma; in flight: work of mma`. */
export function slotText({ name, owners, data, flights }: SlotState): string {
  const open = [...Map.groupBy(flights, (one) => one)].map(([one, same]) => {
    return same.length === 1 ? one : `${same.length} × ${one}`;
  });
  const parts = [
    owners.length > 0 ? `held by ${owners.join(' and ')}` : (data ?? ''),
    open.length > 0 ? `in flight: ${open.join(', ')}` : '',
  ];
  return `${name}: ${parts.filter(Boolean).join('; ') || 'idle'}`;
}

/** What a step waited for and what it changed, fact by fact. */
export function factsOf({ barriers, slots, effects, waited, verb, text }: TraceStep): string[] {
  const completed = (name: string): number =>
    effects.filter((effect) => effect.startsWith(`${name} phase `)).length;
  const facts = barriers.map((state) => barrierText(state, completed(state.name)));
  facts.push(...slots.map(slotText));
  if (waited !== undefined) facts.unshift(`for ${waited}`);
  if (facts.length > 0) return facts;
  return [text.startsWith(`${verb} `) ? text.slice(verb.length + 1) : text];
}

interface Layout {
  readonly numbers: number;
  readonly places: number;
  readonly lanes: readonly TimelineLane[];
  /** Columns to the left of the facts, and for the facts. */
  readonly left: number;
  readonly room: number;
}

function layOut(trace: readonly TraceStep[], shown: readonly number[]): Layout {
  const numbers = Math.max(4, String(trace.length).length);
  const places = Math.max(4, ...shown.map((index) => widthOf(placeOf(trace, index))));
  const lanes = lanesOf(trace, shown);
  const columns = lanes.reduce((sum, lane) => sum + lane.width, 0);
  const left = 3 + numbers + 2 + places + 2 + columns;
  return { numbers, places, lanes, left, room: Math.max(30, MAX_ROW_COLUMNS - left) };
}

/** The source line of a step; with its file if that differs from the first step's. */
export function placeOf(trace: readonly TraceStep[], index: number): string {
  const { file, line } = trace[index]!;
  if (file === undefined || line === undefined) return '';
  const first = trace.find((step) => step.file !== undefined)!.file;
  return file === first ? String(line) : `${file.split('/').at(-1)}:${line}`;
}

/** Facts side by side if they fit, else below one another. */
function lines(facts: readonly string[], room: number): string[] {
  const found: string[] = [];
  for (const fact of facts) {
    const last = found.at(-1);
    const both = `${last}; ${fact}`;
    if (last !== undefined && widthOf(both) <= room) found[found.length - 1] = both;
    else found.push(fact);
  }
  return found;
}

/** The shown steps of a schedule, and the hidden part. */
export interface FoldedSchedule {
  readonly shown: readonly number[];
  readonly hidden: readonly [from: number, to: number];
}

/** Hides the middle of a long schedule; `null` shows all of it. */
export function foldSchedule(length: number, bounds: typeof FOLDED | null): FoldedSchedule {
  const indices = Array.from({ length }, (_, index) => index);
  const { first, last } = bounds ?? { first: length, last: 0 };
  if (length <= first + last + 1) return { shown: indices, hidden: [length, length] };
  const hidden: [number, number] = [first, length - last];
  return { shown: [...indices.slice(0, first), ...indices.slice(length - last)], hidden };
}

/** The number of hidden steps by agent, and the lap that repeats in them. */
export function foldedText(
  trace: readonly TraceStep[],
  [from, to]: readonly [number, number],
): string {
  const hidden = trace.slice(from, to).map(agentName);
  const byAgent = Map.groupBy(hidden, (name) => name);
  const each = [...byAgent].map(([name, steps]) => `${name} ${grouped(steps.length)}`);
  const lap = longestLap(hidden);
  return `⋮ ${counted(to - from, 'more step')}: ${each.join(', ')}${lap}`;
}

/** `; 984 times the same: mma 2, load 3`. */
function longestLap(agents: readonly string[]): string {
  const runs: string[] = [];
  for (let at = 0; at < agents.length;) {
    let end = at + 1;
    while (end < agents.length && agents[end] === agents[at]) end++;
    runs.push(`${agents[at]} ${end - at}`);
    at = end;
  }
  const size = ({ parts, times }: Fold): number => (times === 1 ? 0 : parts.length * times);
  const [longest] = folded(runs).toSorted((one, other) => size(other) - size(one));
  if (longest === undefined || size(longest) * 2 < runs.length) return '';
  return `; ${grouped(longest.times)} times the same: ${longest.parts.join(', ')}`;
}

/**
 * Renders a schedule under a heading that counts its steps. The middle of a long one is folded,
 * unless `all` is requested. Below it is the position of every role after the last step.
 */
export function traceTable(
  trace: readonly TraceStep[],
  standing: readonly Standing[],
  paint: Paint,
  all: boolean,
): string[] {
  const end = trace.length === 0 ? ': the kernel starts in this state' : '';
  const output = [`   trace: ${counted(trace.length, 'step')}${end}`];
  const { shown, hidden } = foldSchedule(trace.length, all ? null : FOLDED);
  if (trace.length > 0) output.push(...rows(trace, shown, hidden, paint));
  if (standing.length === 0) return output;
  output.push(`   ${trace.length === 0 ? 'then' : `after step ${grouped(trace.length)}`}`);
  const width = Math.max(...standing.map((one) => widthOf(agentName(one))));
  for (const one of standing) {
    const name = padded(agentName(one), width);
    output.push(
      `     ${one.kind === 'role' ? paint.strong(name) : paint.faint(name)}  ${one.text}`,
    );
  }
  return output;
}

function rows(
  trace: readonly TraceStep[],
  shown: readonly number[],
  hidden: readonly [number, number],
  paint: Paint,
): string[] {
  const { numbers, places, lanes, left, room } = layOut(trace, shown);
  const names = lanes.map(({ name, width }) => padded(name, width)).join('');
  const [number, line] = [padded('step', numbers, 'left'), padded('line', places, 'left')];
  const output = [paint.faint(`   ${number}  ${line}  ${names}then`)];
  for (const index of shown) {
    if (index === hidden[1] && hidden[0] < hidden[1])
      output.push(`   ${foldedText(trace, hidden)}`);
    const step = trace[index]!;
    const number = paint.frame(padded(String(index + 1), numbers, 'left'));
    const place = paint.faint(padded(placeOf(trace, index), places, 'left'));
    const [first = '', ...more] = lines(factsOf(step), room);
    const lane = laneRow(trace, lanes, index, paint);
    output.push(`   ${number}  ${place}  ${lane}${first}`.trimEnd());
    for (const line of more) output.push(`${' '.repeat(left)}${line}`);
  }
  return output;
}
