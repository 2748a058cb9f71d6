// Chooses moves of a state that are enough: whatever happens before them can happen after them.
import { MAX_FLIGHTS, type Instruction } from '@poundlock/core/internal/machine';
import { agentOf, type System } from '@poundlock/core/internal/system';
import { Lookahead } from './lookahead.ts';
import { Independence } from './independence.ts';

/** The most agents that are tried as the first of a set. */
const MAX_SEEDS = 8;
/** With more agents that can move, all moves are made: a smaller set would take longer to find. */
const MAX_AGENTS = 128;

/**
 * Persistent sets: the moves of a set of agents, such that nothing that the other agents can do
 * before one of the set moves depends on any of them. See docs/explanation/search.md for why
 * exploring these alone finds every deadlock and every other finding of severity error.
 */
export class PersistentSets {
  readonly #system: System;
  readonly #lookahead: Lookahead;
  readonly #independence: Independence;
  /** By move: its agent, a role or the number of roles plus a list position. */
  readonly #agents = new Int32Array(1 << 16);
  readonly #fixedRoles: Uint8Array;
  readonly #fixedFlights: Uint8Array;
  /** By agent: how many moves it has now. */
  readonly #movesOf: Int32Array;
  /** The agents of the set that is tried. */
  readonly #members: number[] = [];
  #best: number[] = [];
  #hasGrown = false;
  #hasFailed = false;
  /**
   * By role: when it was the seed of a set of one move last, and below 0 when it was of none: the
   * next state mostly differs in nothing that decides that.
   */
  readonly #singles: Float64Array;
  #time = 0;
  /** A set with more moves than these is no gain. */
  #maxMoves = 0;
  /** The moves of the members so far. */
  #size = 0;
  /** What others may do that was compared with a move so far: most of the time of a search. */
  compared = 0;

  constructor(system: System) {
    const agents = system.roles + MAX_FLIGHTS;
    this.#system = system;
    this.#lookahead = new Lookahead(system);
    this.#independence = new Independence(system, this.#lookahead);
    this.#fixedRoles = new Uint8Array(system.roles);
    this.#fixedFlights = new Uint8Array(MAX_FLIGHTS);
    this.#movesOf = new Int32Array(agents);
    this.#singles = new Float64Array(system.roles);
  }

  /** Whether a choice assumed that all steps are unfolded; see {@link Lookahead.hasAssumed}. */
  get hasAssumed(): boolean {
    return this.#lookahead.hasAssumed;
  }

  restart(): void {
    this.#lookahead.hasAssumed = false;
  }

  /**
   * Puts the moves that are enough in front of `moves` and their completions, of which there are
   * `count`, and returns how many they are.
   */
  choose(words: Int32Array, moves: Int32Array, completions: Int32Array, count: number): number {
    const enabled = this.#group(moves, completions, count);
    let least = count;
    if (enabled.length > 1 && enabled.length <= MAX_AGENTS) {
      this.#best = enabled;
      for (const seed of this.#seeds(words, enabled)) {
        this.#maxMoves = least - 1;
        const size = this.#close(words, seed, enabled.length);
        if (seed < this.#singles.length) this.#singles[seed] = (size === 1 ? 1 : -1) * ++this.#time;
        if (size >= least) continue;
        least = size;
        this.#best = [...this.#members];
        if (this.#members.length === 1) break;
      }
      if (least < count) this.#toFront(moves, completions, count);
    }
    for (const agent of enabled) this.#movesOf[agent] = 0;
    return least;
  }

  /** The agents that can move. */
  #group(moves: Int32Array, completions: Int32Array, count: number): number[] {
    const enabled: number[] = [];
    for (let i = 0; i < count; i++) {
      const agent = completions[i]! < 0 ? agentOf(moves[i]!) : this.#system.roles + completions[i]!;
      this.#agents[i] = agent;
      if (this.#movesOf[agent]!++ === 0) enabled.push(agent);
    }
    return enabled;
  }

  /** Those with one move first: they make no branches. Of equal flights one is enough. */
  #seeds(words: Int32Array, enabled: readonly number[]): number[] {
    const { machine, roles } = this.#system;
    const open = machine.openFlights;
    const isFirst = (agent: number, at: number): boolean => {
      const before = enabled[at - 1] ?? 0;
      if (before < roles) return true;
      return open.idAt(words, agent - roles) !== open.idAt(words, before - roles);
    };
    const seeds = enabled.filter(isFirst);
    const single = seeds.filter((agent) => this.#movesOf[agent] === 1);
    single.sort((one, other) => this.#singleSince(other) - this.#singleSince(one));
    const rest = seeds.filter((agent) => this.#movesOf[agent]! > 1);
    return [...single, ...rest].slice(0, MAX_SEEDS);
  }

  #singleSince(agent: number): number {
    return this.#singles[agent] ?? 0;
  }

  /** The smallest set around an agent: its number of moves, or infinity when it is none. */
  #close(words: Int32Array, seed: number, enabled: number): number {
    const members = this.#members;
    members.length = 0;
    members.push(seed);
    this.#fix(seed, 1);
    this.#size = this.#movesOf[seed]!;
    this.#hasFailed = this.#size > this.#maxMoves;
    if (this.#hasFailed) {
      this.#fix(seed, 0);
      return Number.POSITIVE_INFINITY;
    }
    do {
      this.#hasGrown = false;
      this.#lookahead.look(words, this.#fixedRoles, this.#fixedFlights);
      for (let i = 0; i < members.length && !this.#hasFailed; i++) {
        this.#blameFor(words, members[i]!);
      }
    } while (this.#hasGrown && !this.#hasFailed && members.length < enabled);
    for (const member of members) this.#fix(member, 0);
    if (this.#hasFailed || members.length === enabled) return Number.POSITIVE_INFINITY;
    return this.#size;
  }

  readonly #blame = (agent: number): void => {
    if (this.#members.includes(agent)) return;
    // What a blocked agent does later depends on the agent that unblocks it: that is not analyzed.
    const own = this.#movesOf[agent]!;
    this.#size += own;
    if (own === 0 || this.#size > this.#maxMoves) this.#hasFailed = true;
    else {
      this.#members.push(agent);
      this.#fix(agent, 1);
      this.#hasGrown = true;
    }
  };

  #blameFor(words: Int32Array, agent: number): void {
    const { machine, roles } = this.#system;
    this.compared += this.#lookahead.visits.length;
    if (agent < roles) {
      const instruction: Instruction = this.#system.instruction(words[agent]!)!;
      this.#independence.ofOperation(words, instruction, this.#blame);
    } else {
      const flight = machine.openFlights.idAt(words, agent - roles);
      this.#independence.ofCompletion(words, flight, this.#blame);
    }
  }

  #fix(agent: number, to: number): void {
    const { roles } = this.#system;
    if (agent < roles) this.#fixedRoles[agent] = to;
    else this.#fixedFlights[agent - roles] = to;
  }

  #toFront(moves: Int32Array, completions: Int32Array, count: number): void {
    let front = 0;
    for (let i = 0; i < count; i++) {
      if (!this.#best.includes(this.#agents[i]!)) continue;
      const [move, completion, agent] = [moves[i]!, completions[i]!, this.#agents[i]!];
      moves[i] = moves[front]!;
      completions[i] = completions[front]!;
      this.#agents[i] = this.#agents[front]!;
      moves[front] = move;
      completions[front] = completion;
      this.#agents[front++] = agent;
    }
  }
}
