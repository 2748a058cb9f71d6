// Orders of a run: which agent moves next, and which of its options it takes.
import { agentOf, type System } from '@poundlock/core/internal/system';

/** Which of the agents that can move is next. */
export type AgentOrder = 'first' | 'last' | 'turns' | 'random' | 'priorities';
/**
 * Which option a role takes: always the one of this number, or the last one where it has fewer; one
 * for each step, drawn once; any; the one that was taken least often in the runs before; or, run
 * after run, every sequence of options.
 */
export type OptionOrder = number | 'drawn-once' | 'random' | 'rarest' | Sequences;

export interface Order {
  readonly agents: AgentOrder;
  readonly options: OptionOrder;
}

/** How often, of one in this many moves, the priorities of agents are drawn again. */
const REDRAW = 64;
/** By step and option: a step has fewer options than this in the table of what was taken. */
const OPTIONS = 1 << 16;

/** Every sequence of options, one for each run; those that differ late come first. */
export class Sequences {
  readonly #chosen: number[] = [];
  readonly #options: number[] = [];
  #at = 0;

  /** The next option of the current sequence. */
  next(options: number): number {
    const at = this.#at++;
    this.#options[at] = options;
    return (this.#chosen[at] ??= 0);
  }

  /** Goes on to the next sequence; `false` after the last one. */
  advance(): boolean {
    this.#chosen.length = this.#at;
    this.#at = 0;
    for (let last = this.#chosen.pop(); last !== undefined; last = this.#chosen.pop()) {
      if (last + 1 >= this.#options[this.#chosen.length]!) continue;
      this.#chosen.push(last + 1);
      return true;
    }
    return false;
  }
}

/** Random numbers by a seed. */
function xorshift(seed: number): (below: number) => number {
  let drawn = seed | 0 || 1;
  return (below) => {
    drawn ^= drawn << 13;
    drawn ^= drawn >>> 17;
    drawn ^= drawn << 5;
    return (drawn >>> 0) % below;
  };
}

/** Chooses the moves of one run. */
export class Chooser {
  /** Whether the last role starts first. */
  readonly startsWithLast: boolean;
  readonly #system: System;
  readonly #order: Order;
  readonly #draw: (below: number) => number;
  /** By step and option: how often it was taken, in all runs that share the table. */
  readonly #taken: Map<number, number>;
  readonly #priorities: number[] = [];
  readonly #drawnOnce = new Map<number, number>();
  #turn = -1;

  constructor(system: System, order: Order, seed: number, taken: Map<number, number>) {
    this.#system = system;
    this.#order = order;
    this.#draw = xorshift(seed);
    this.#taken = taken;
    this.startsWithLast =
      order.agents === 'last' || (order.agents === 'priorities' && this.#draw(2) === 0);
  }

  /** The place in `moves` of the one to make. Moves of one agent are side by side. */
  choose(words: Int32Array, moves: Int32Array, count: number): number {
    const first = this.#agent(moves, count);
    const agent = agentOf(moves[first]!);
    this.#turn = agent;
    let options = 1;
    while (first + options < count && agentOf(moves[first + options]!) === agent) options++;
    if (agent >= this.#system.roles) return first + this.#draw(options);
    const step = words[agent]!;
    const chosen = options === 1 ? 0 : this.#option(step, options);
    const key = step * OPTIONS + chosen;
    if (options > 1) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return first + chosen;
  }

  #agent(moves: Int32Array, count: number): number {
    switch (this.#order.agents) {
      case 'first':
        return 0;
      case 'last':
        return firstOf(moves, count - 1);
      case 'turns':
        for (let i = 0; i < count; i++) if (agentOf(moves[i]!) > this.#turn) return i;
        return 0;
      case 'random':
        return firstOf(moves, this.#draw(count));
      case 'priorities':
        return this.#mostUrgent(moves, count);
    }
  }

  #mostUrgent(moves: Int32Array, count: number): number {
    if (this.#draw(REDRAW) === 0) this.#priorities.length = 0;
    let [best, at] = [-1, 0];
    for (let i = 0; i < count; i++) {
      const urgency = (this.#priorities[agentOf(moves[i]!)] ??= this.#draw(1 << 30));
      if (urgency <= best) continue;
      best = urgency;
      at = i;
    }
    return at;
  }

  #option(step: number, options: number): number {
    const { options: order } = this.#order;
    if (typeof order === 'number') return Math.min(order, options - 1);
    if (order instanceof Sequences) return order.next(options);
    switch (order) {
      case 'random':
        return this.#draw(options);
      case 'drawn-once': {
        const drawn = this.#drawnOnce.get(step) ?? this.#draw(1 << 30);
        this.#drawnOnce.set(step, drawn);
        return drawn % options;
      }
      case 'rarest': {
        let [least, at] = [Number.POSITIVE_INFINITY, 0];
        const start = this.#draw(options);
        for (let i = 0; i < options; i++) {
          const option = (start + i) % options;
          const taken = this.#taken.get(step * OPTIONS + option) ?? 0;
          if (taken < least) [least, at] = [taken, option];
        }
        return at;
      }
    }
  }
}

function firstOf(moves: Int32Array, at: number): number {
  const agent = agentOf(moves[at]!);
  let first = at;
  while (first > 0 && agentOf(moves[first - 1]!) === agent) first--;
  return first;
}
