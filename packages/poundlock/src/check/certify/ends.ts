// Whether an end can be reached from every state, which polling hides from us (P11).
import type { Uint32Vector } from '../uint32-vector.ts';

/** Whether each of `states` states has a way along `edges` to one of `finals`. */
export function canAllEnd(
  states: number,
  edges: { readonly from: Uint32Vector; readonly to: Uint32Vector },
  finals: Uint32Vector,
): boolean {
  const { length } = edges.from;
  const starts = new Uint32Array(states + 2);
  for (let edge = 0; edge < length; edge++) starts[edges.to.at(edge) + 2]!++;
  for (let id = 2; id < starts.length; id++) starts[id]! += starts[id - 1]!;
  const incoming = new Uint32Array(length);
  for (let edge = 0; edge < length; edge++) {
    incoming[starts[edges.to.at(edge) + 1]!++] = edges.from.at(edge);
  }
  const reaches = new Uint8Array(states);
  const queue: number[] = [];
  const mark = (id: number): void => {
    if (reaches[id] === 1) return;
    reaches[id] = 1;
    queue.push(id);
  };
  for (let i = 0; i < finals.length; i++) mark(finals.at(i));
  for (let i = 0; i < queue.length; i++) {
    const last = starts[queue[i]! + 1]!;
    for (let edge = starts[queue[i]!]!; edge < last; edge++) mark(incoming[edge]!);
  }
  return queue.length === states;
}
