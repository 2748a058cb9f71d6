// Backward reachability: which states can reach an end.
import type { Uint32Vector } from './uint32-vector.ts';

/** By state: 1 if one of `goals` can be reached along the edges from `from` to `to`. */
export function canReach(
  states: number,
  from: Uint32Vector,
  to: Uint32Vector,
  goals: Uint32Vector,
): Uint8Array {
  const { incoming, start } = reversed(states, from, to);
  const reaches = new Uint8Array(states);
  const queue = new Uint32Array(states);
  let queued = 0;
  const mark = (id: number): void => {
    if (reaches[id] === 1) return;
    reaches[id] = 1;
    queue[queued++] = id;
  };
  for (let i = 0; i < goals.length; i++) mark(goals.at(i));
  for (let i = 0; i < queued; i++) {
    const last = start[queue[i]! + 1]!;
    for (let edge = start[queue[i]!]!; edge < last; edge++) mark(incoming[edge]!);
  }
  return reaches;
}

/** The edges turned round: where the sources of each target begin, and the sources. */
function reversed(
  states: number,
  from: Uint32Vector,
  to: Uint32Vector,
): { incoming: Uint32Array; start: Uint32Array } {
  const start = new Uint32Array(states + 2);
  for (let edge = 0; edge < to.length; edge++) start[to.at(edge) + 2]!++;
  for (let id = 2; id < start.length; id++) start[id]! += start[id - 1]!;
  const incoming = new Uint32Array(to.length);
  for (let edge = 0; edge < to.length; edge++) incoming[start[to.at(edge) + 1]!++] = from.at(edge);
  return { incoming, start };
}
