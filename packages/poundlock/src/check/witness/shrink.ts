// Makes a schedule shorter while it shows the same: fewer moves, then fewer changes of agents.
import { positionKey } from '@poundlock/core/internal/base';
import { agentOf, type Move, type Symptom, type System } from '@poundlock/core/internal/system';
import { Driver } from './driver.ts';

/** The moves that shrinking may make in all its replays (bound `shrink-moves`). */
export const MAX_SHRINK_MOVES = 150_000;

interface Shown {
  readonly symptom: Symptom;
  readonly path: readonly Move[];
}

/** A move without the state before it: the agent, and how it moves. */
interface Action {
  readonly agent: number;
  readonly detail: number;
}

interface Replayed extends Shown {
  readonly actions: readonly Action[];
}

/**
 * Leaves moves out of a schedule, and puts moves of one agent together, as long as the same rule is
 * broken at the same place. What can not be done any more without a move is left out with it.
 */
export function shrinkSchedule<S extends Shown>(
  system: System,
  shown: S,
  maxMoves = MAX_SHRINK_MOVES,
): S {
  const shrinking = new Shrinking(system, shown, maxMoves);
  shrinking.leaveOut();
  shrinking.putTogether();
  const { symptom, path } = shrinking.best;
  return { ...shown, symptom, path };
}

class Shrinking {
  readonly #system: System;
  readonly #key: string;
  best: Replayed;
  #left: number;

  constructor(system: System, shown: Shown, maxMoves: number) {
    this.#left = maxMoves;
    this.#system = system;
    const driver = new Driver(system);
    for (const move of shown.path) driver.make(move);
    this.#key = keyOf(driver, shown.symptom);
    this.best = { ...shown, actions: actionsOf(driver) };
  }

  /** Tries without halves, then quarters, down to single moves. */
  leaveOut(): void {
    let size = Math.ceil(this.best.actions.length / 2);
    while (size >= 1) {
      const before = this.best.actions.length;
      for (let at = 0; at < this.best.actions.length && this.#left > 0;) {
        const { actions } = this.best;
        const fewer = [...actions.slice(0, at), ...actions.slice(at + size)];
        if (!this.#tryOut(fewer)) at += size;
      }
      if (this.#left <= 0) return;
      if (size === 1 && this.best.actions.length === before) return;
      size = size === 1 ? 1 : Math.ceil(size / 2);
    }
  }

  /** Moves each stretch of an agent to the end of its last one, or as far as that goes. */
  putTogether(): void {
    for (let at = 1; at < this.best.actions.length && this.#left > 0; at++) {
      const { actions } = this.best;
      const { agent } = actions[at]!;
      if (actions[at - 1]!.agent === agent) continue;
      const last = actions.findLastIndex((one, index) => index < at && one.agent === agent);
      if (last < 0) continue;
      let end = at;
      while (end < actions.length && actions[end]!.agent === agent) end++;
      const [between, stretch] = [actions.slice(last + 1, at), actions.slice(at, end)];
      const head = actions.slice(0, last + 1);
      this.#tryOut([...head, ...stretch, ...between, ...actions.slice(end)]);
    }
  }

  /** Takes a list of actions if it shows the same, in fewer moves or with fewer changes. */
  #tryOut(actions: readonly Action[]): boolean {
    const driver = new Driver(this.#system);
    for (const { agent, detail } of actions) {
      if (driver.error !== null) break;
      if (agent < this.#system.roles) driver.step(agent, detail);
      else if (!driver.complete(agent, detail)) driver.move(agent);
    }
    this.#left -= driver.path.length + 1;
    const symptom = driver.verdict();
    if (symptom === null || symptom.rule !== this.best.symptom.rule) return false;
    const found = actionsOf(driver);
    const { actions: known } = this.best;
    const isBetter =
      found.length < known.length ||
      (found.length === known.length && changes(found) < changes(known));
    if (!isBetter || keyOf(driver, symptom) !== this.#key) return false;
    this.best = { symptom, path: driver.path, actions: found };
    return true;
  }
}

function actionsOf({ path, details }: Driver): Action[] {
  return path.map((move, index) => ({ agent: agentOf(move), detail: details[index]! }));
}

function changes(actions: readonly Action[]): number {
  return actions.filter(({ agent }, at) => at > 0 && actions[at - 1]!.agent !== agent).length;
}

/** The rule and where it is broken: by all roles that are stuck, for a deadlock. */
function keyOf({ system, words }: Driver, { rule, agent, other, step }: Symptom): string {
  const { steps, roles } = system;
  const place = (id: number): string => positionKey(id < 0 ? undefined : steps.position(id));
  const standing = (role: number): string =>
    role < 0 || role >= roles ? `unit ${role}` : `${role} ${place(words[role]!)}`;
  if (rule !== 'deadlock') return [rule, place(step), standing(agent), standing(other)].join(' ');
  const all = Array.from({ length: roles }, (_, role) => role);
  const stuck = all.filter((role) => !system.hasEnded(words, role));
  return [rule, ...stuck.map(standing)].join(' ');
}
