// The lanes of a space-time table: the agents that move, and arrows from signals to waits.
import type { TraceStep } from '@poundlock/core/internal/finding';
import type { Paint } from './paint.ts';
import { padded, widthOf } from './width.ts';

/** The widest name and verb for which a lane makes room. */
const MAX_LANE_COLUMNS = 12;
const GAP = 2;

/** A unit often has the name of a role: only units are in parentheses. */
export function agentName({ agent, kind }: Pick<TraceStep, 'agent' | 'kind'>): string {
  return kind === 'unit' ? `(${agent})` : agent;
}

/** The column of one role or unit. */
export interface TimelineLane {
  readonly name: string;
  readonly width: number;
  /** The steps between which it has a lifeline. */
  readonly first: number;
  readonly last: number;
}

/** A lane for each role and unit that moves in a shown step, in the order of their first steps. */
export function lanesOf(trace: readonly TraceStep[], shown: readonly number[]): TimelineLane[] {
  const byAgent = Map.groupBy(trace.keys(), (index) => agentName(trace[index]!));
  const visible = new Set(shown.map((index) => agentName(trace[index]!)));
  const lanes = [...byAgent].filter(([name]) => visible.has(name));
  return lanes.map(([name, steps]) => {
    const verbs = steps.map((index) => trace[index]!.verb);
    const widest = Math.max(widthOf(name), ...new Set(verbs.map(widthOf)));
    const width = Math.min(widest, MAX_LANE_COLUMNS) + GAP;
    const shortName = name.length > width - 1 ? `${name.slice(0, width - 2)}…` : name;
    return { name: shortName, width, first: steps[0]!, last: steps.at(-1)! };
  });
}

/** The cells of all lanes in one step. */
export function laneRow(
  trace: readonly TraceStep[],
  lanes: readonly TimelineLane[],
  index: number,
  paint: Paint,
): string {
  const step = trace[index]!;
  const own = laneAt(trace, lanes, index);
  const source = step.from === undefined ? -1 : laneAt(trace, lanes, step.from - 1);
  const cells = lanes.map(({ width, first, last }, lane) => {
    if (lane === own) return paint.strong(padded(step.verb, width));
    return paint.faint(padded(index >= first && index <= last ? '│' : '', width));
  });
  if (source < 0) return cells.join('');
  if (source === own) {
    const { width } = lanes[own]!;
    cells[own] = padded(`${step.verb}↑${step.from}`, width);
    return cells.join('');
  }
  const label = String(step.from);
  const between = (from: number, to: number): number =>
    lanes.slice(from, to).reduce((sum, { width }) => sum + width, 0);
  const [left, right] = [Math.min(source, own), Math.max(source, own)];
  const before = cells.slice(0, left).join('');
  const after = cells.slice(right + 1).join('');
  if (source < own) {
    const arrow = `${label}${'─'.repeat(Math.max(1, between(left, right) - label.length - 1))}▶`;
    return before + paint.frame(arrow) + paint.strong(padded(step.verb, lanes[own]!.width)) + after;
  }
  const room = between(left, right) - step.verb.length - 1;
  const arrow = `◀${'─'.repeat(Math.max(1, room))}`;
  const tail = paint.frame(arrow + padded(label, lanes[source]!.width));
  return before + paint.strong(step.verb) + tail + after;
}

/** The lane of the agent of a step. */
function laneAt(
  trace: readonly TraceStep[],
  lanes: readonly TimelineLane[],
  index: number,
): number {
  const order = new Map<string, number>();
  for (const [at, lane] of lanes.entries()) order.set(agentName(trace[lane.first]!), at);
  return order.get(agentName(trace[index]!)) ?? -1;
}
