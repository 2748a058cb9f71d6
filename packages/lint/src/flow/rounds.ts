// The rounds of a loop: which states at its head are new, and which jumps end a round or the loop.
import { fold, MAX_STATES, ownershipKey } from './fold.ts';
import type { Abrupt, FlowRun } from './run.ts';
import { isEmptyCollection, type FlowState } from './state.ts';

/** Splits the completions of a loop's body into those that continue and those that exit. */
export function loopJumps(
  run: FlowRun,
  abrupt: readonly Abrupt[],
  label: string | undefined,
): { again: FlowState[]; out: FlowState[] } {
  const again: FlowState[] = [];
  const out: FlowState[] = [];
  for (const each of abrupt) {
    const isOurs = each.label === undefined || each.label === label;
    if (each.kind === 'continue' && isOurs) again.push(each.state);
    else if (each.kind === 'break' && isOurs) out.push(each.state);
    else run.abrupt(each.kind, each.state, each.label);
  }
  return { again, out };
}

/** The most rounds of a loop; fewer if no new state appears. */
export const MAX_ROUNDS = 12;

/** The states seen at the head of a loop; a state with fewer facts counts as new. */
export class SeenStates {
  readonly #known = new Map<string, FlowState>();

  /** The states among these that are new. */
  added(states: readonly FlowState[]): FlowState[] {
    const fresh: FlowState[] = [];
    for (const state of states) {
      const key = ownershipKey(state);
      const known = this.#known.get(key);
      const [joined = state] = known === undefined ? [state] : fold([known, state]);
      if (known !== undefined && sameKnowledge(known, joined)) continue;
      if (this.#known.size >= MAX_STATES && known === undefined) continue;
      this.#known.set(key, joined);
      fresh.push(joined);
    }
    return fresh;
  }
}

function sameKnowledge(one: FlowState, other: FlowState): boolean {
  const isOfSize = one.env.size === other.env.size && one.facts.size === other.facts.size;
  return isOfSize && (one.heap === other.heap || emptyOnes(one) === emptyOnes(other));
}

/** The number of collections that are certainly empty. */
function emptyOnes({ heap }: FlowState): number {
  let count = 0;
  for (const object of heap.values()) if (isEmptyCollection(object)) count++;
  return count;
}
