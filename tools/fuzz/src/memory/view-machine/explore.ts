// All executions of a program on the view machine: whether each of them is good.
import { hasEnded, movesOf } from './control.ts';
import { Machine } from './machine.ts';
import type { ViewOptions } from './options.ts';
import type { Scene } from './scene.ts';
import { firstState, keyOf, type State } from './state.ts';

export interface Explored {
  /** By kind, the first fault; none if all executions are good. */
  readonly faults: ReadonlyMap<string, string>;
  readonly states: number;
  /** The bound was hit: nothing is known. */
  readonly isCut: boolean;
}

/** The most states of a program unless specified. */
const MOST_STATES = 400_000;

/** Explores all interleavings. */
export function explore(scene: Scene, options: ViewOptions): Explored {
  const { mostStates = MOST_STATES, stopsAtFirst = false, faults: wrong = {} } = options;
  const faults = new Map<string, string>();
  const report = (kind: string, text: string): void => {
    if (!faults.has(kind)) faults.set(kind, text);
  };
  const outcome = new Outcome(scene, report);
  const first = firstState(scene);
  const seen = new Set([keyOf(first)]);
  const open: State[] = [first];
  while (open.length > 0) {
    if (stopsAtFirst && faults.size > 0) break;
    const state = open.pop()!;
    const moves = movesOf(scene, state.control, wrong);
    if (moves.length === 0) outcome.end(state);
    for (const move of moves) {
      const next = new Machine(scene, options, report, state).move(move);
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
    if (seen.size > mostStates) return { faults, states: seen.size, isCut: faults.size === 0 };
  }
  return { faults, states: seen.size, isCut: false };
}

/** What executions end with: each read returns one version, the same one in all of them. */
class Outcome {
  readonly #scene: Scene;
  readonly #report: (kind: string, text: string) => void;
  readonly #versions = new Map<number, number>();
  readonly #phases = new Map<number, number>();

  constructor(scene: Scene, report: (kind: string, text: string) => void) {
    this.#scene = scene;
    this.#report = report;
  }

  end({ control, reads, messages }: State): void {
    const stuck = this.#scene.agents.filter((_, agent) => !hasEnded(this.#scene, control, agent));
    if (stuck.length > 0) this.#report('deadlock', stuck.map(({ name }) => name).join(', '));
    for (const [slot, read] of reads.entries()) {
      if (read === null) continue;
      const { versions } = read;
      const { id, at } = this.#scene.reads[slot]!;
      const text = `${id} may read several versions of ${this.#scene.locations[at]!.name}`;
      if ((versions & (versions - 1)) !== 0) this.#report('read', text);
      if (isOther(this.#versions, slot, versions)) this.#report('read', `${text}, by run`);
    }
    for (const [slot, message] of messages.entries()) {
      if (message === null || !isOther(this.#phases, slot, message.phase)) continue;
      this.#report('phase', 'an arrival counts for one phase or another, by run');
    }
  }
}

/** Whether an earlier execution ended with another value. */
function isOther(values: Map<number, number>, slot: number, value: number): boolean {
  const known = values.get(slot) ?? value;
  values.set(slot, known);
  return known !== value;
}
