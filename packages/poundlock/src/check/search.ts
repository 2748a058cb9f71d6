// Exhaustive breadth-first search: every interleaving, so the first counterexample is a shortest.
import { severityOf } from '../finding/index.ts';
import {
  copyState,
  endSymptoms,
  newState,
  type Move,
  type Symptom,
  type System,
} from '../system/index.ts';
import { GrowingList } from './growing.ts';
import type { Packing } from './packing.ts';
import { StateStore } from './store.ts';

/** A schedule that shows something. */
export interface Sighting {
  readonly symptom: Symptom;
  /** The moves from the initial state on. */
  readonly path: readonly Move[];
}

export type SearchStatus = 'running' | 'exhausted' | 'found' | 'max-states';

const NO_PARENT = 0xffffffff;
/** The most different sightings that are kept of one depth, and of warnings. */
const MAX_SIGHTINGS = 16;

/**
 * Searches all reachable states of a system. Call {@link run} until {@link status} is no longer
 * `running`; it returns after about `budget` transitions, so that the caller can show progress.
 */
export class Search {
  readonly #system: System;
  readonly #start: Int32Array | null;
  readonly #maxStates: number;
  readonly #packing: Packing;
  #store: StateStore;
  #parents = new GrowingList();
  #moves = new GrowingList();
  /** For every expanded state where its successors start; only with loops, which can cycle. */
  #edgeStart = new GrowingList();
  #edges = new GrowingList();
  #finals = new GrowingList();
  #recordsEdges: boolean;
  #next = 0;
  #levelEnd = 0;
  readonly #words: Int32Array;
  readonly #successor: Int32Array;
  readonly #options: Int32Array;

  status: SearchStatus = 'running';
  transitions = 0;
  depth = 0;
  /** Errors of the shortest depth, and warnings of any depth. */
  errors: Sighting[] = [];
  warnings: Sighting[] = [];
  #errorDepth = -1;

  /** `start` is the state to search from; the initial one unless given. */
  constructor(
    system: System,
    packing: Packing,
    maxStates: number,
    recordsEdges: boolean,
    start: Int32Array | null = null,
  ) {
    this.#start = start;
    this.#system = system;
    this.#maxStates = maxStates;
    this.#packing = packing;
    this.#recordsEdges = recordsEdges;
    this.#store = new StateStore(packing);
    this.#words = newState(system.machine);
    this.#successor = newState(system.machine);
    this.#options = new Int32Array(1 << 16);
    this.#begin();
  }

  get states(): number {
    return this.#store.size;
  }

  get frontier(): number {
    return this.#store.size - this.#next;
  }

  get bytes(): number {
    return this.#store.bytes;
  }

  /** The shortest schedule that ends well, or `null`. */
  example(): readonly Move[] | null {
    return this.#finals.length === 0 ? null : this.#pathTo(this.#finals.at(0));
  }

  /** Explores until about `budget` more transitions are made or the search is over. */
  run(budget: number): SearchStatus {
    const until = this.transitions + budget;
    while (this.status === 'running' && this.transitions < until) this.#advance();
    return this.status;
  }

  #begin(): void {
    const initial = this.#system.initial();
    if (this.#start !== null) copyState(this.#system.machine, this.#start, initial);
    else if (this.#system.symptoms.length > 0) this.#noteSymptoms(NO_PARENT, -1, 0);
    // Words that are never stored keep the values they have here.
    copyState(this.#system.machine, initial, this.#words);
    copyState(this.#system.machine, initial, this.#successor);
    this.#system.registers.normalise(initial);
    this.#store.add(initial);
    this.#parents.push(NO_PARENT);
    this.#moves.push(0);
    this.#levelEnd = 1;
  }

  #advance(): void {
    if (this.#next === this.#levelEnd) {
      const isOver = this.#errorDepth >= 0 && this.#errorDepth <= this.depth + 1;
      if (isOver || this.#next === this.#store.size) {
        this.status = this.#errorDepth >= 0 ? 'found' : 'exhausted';
        return;
      }
      this.#levelEnd = this.#store.size;
      this.depth++;
    }
    if (this.#store.size > this.#maxStates) {
      this.status = 'max-states';
      return;
    }
    this.#expand(this.#next++);
  }

  #expand(id: number): void {
    const system = this.#system;
    const words = this.#words;
    this.#store.read(id, words);
    if (this.#recordsEdges) this.#edgeStart.push(this.#edges.length);
    const count = system.moves(words, this.#options);
    if (count === 0) return this.#stuck(id, words);
    for (let i = 0; i < count; i++) {
      const move = this.#options[i]!;
      this.#packing.copy(words, this.#successor);
      system.apply(this.#successor, move);
      this.transitions++;
      if (system.symptoms.length > 0 && this.#noteSymptoms(id, move, this.depth + 1)) {
        // The move may have written words that are never stored.
        copyState(system.machine, words, this.#successor);
        continue;
      }
      system.registers.normalise(this.#successor);
      const successor = this.#store.add(this.#successor);
      if (this.#store.isNew) {
        this.#parents.push(id);
        this.#moves.push(move);
      }
      if (this.#recordsEdges) this.#edges.push(successor);
      // What was stored before the program showed a new register or word is stale: start again.
      if (this.#packing.hasGrown || system.registers.hasGrown) return this.#restart();
    }
  }

  #stuck(id: number, words: Int32Array): void {
    if (!this.#system.isFinal(words)) {
      const role = words.findIndex(
        (_, at) => at < this.#system.roles && !this.#system.hasEnded(words, at),
      );
      const symptom: Symptom = {
        rule: 'deadlock',
        agent: role,
        other: -1,
        at: -1,
        step: words[role]!,
        inMove: false,
      };
      this.#note({ symptom, path: this.#pathTo(id) }, this.depth);
      return;
    }
    this.#finals.push(id);
    for (const symptom of endSymptoms(this.#system, words)) {
      this.#note({ symptom, path: this.#pathTo(id) }, this.depth);
    }
  }

  /** Notes the symptoms of the last move; returns whether the path ends with them. */
  #noteSymptoms(id: number, move: Move, depth: number): boolean {
    let isFatal = false;
    for (const symptom of this.#system.symptoms) {
      const isError = severityOf(symptom.rule) === 'error';
      isFatal ||= isError;
      if (isError && this.#errorDepth >= 0 && depth > this.#errorDepth) continue;
      if (!isError && this.warnings.length >= MAX_SIGHTINGS) continue;
      const path = id === NO_PARENT ? [] : [...this.#pathTo(id), move];
      this.#note({ symptom, path }, depth);
    }
    return isFatal;
  }

  #note(sighting: Sighting, depth: number): void {
    const { rule, step, at } = sighting.symptom;
    const isError = severityOf(rule) === 'error';
    const list = isError ? this.errors : this.warnings;
    if (isError) {
      if (this.#errorDepth >= 0 && depth > this.#errorDepth) return;
      if (depth < this.#errorDepth) list.length = 0;
      this.#errorDepth = depth;
    }
    const isKnown = list.some(({ symptom }) => {
      return symptom.rule === rule && symptom.step === step && (isError || symptom.at === at);
    });
    if (!isKnown && list.length < MAX_SIGHTINGS) list.push(sighting);
  }

  #pathTo(id: number): Move[] {
    const path: Move[] = [];
    for (let at = id; this.#parents.at(at) !== NO_PARENT; at = this.#parents.at(at)) {
      path.push(this.#moves.at(at));
    }
    return path.reverse();
  }

  #restart(): void {
    this.#packing.acceptGrowth();
    this.#system.registers.acceptGrowth();
    this.#store = new StateStore(this.#packing);
    this.#parents = new GrowingList();
    this.#moves = new GrowingList();
    this.#edgeStart = new GrowingList();
    this.#edges = new GrowingList();
    this.#finals = new GrowingList();
    this.#next = 0;
    this.depth = 0;
    this.transitions = 0;
    this.errors = [];
    this.warnings = [];
    this.#errorDepth = -1;
    this.#begin();
  }

  /**
   * After an exhausted search with edges: a shortest schedule to a state from which no end can be
   * reached any more, or `null`. Polling hides such states from the "nothing moves" test (P11).
   */
  doomed(): readonly Move[] | null {
    const states = this.#store.size;
    const { incoming, start } = this.#reversed(states);
    const canEnd = new Uint8Array(states);
    const queue = new Uint32Array(states);
    let queued = 0;
    const mark = (id: number): void => {
      if (canEnd[id] === 1) return;
      canEnd[id] = 1;
      queue[queued++] = id;
    };
    for (let i = 0; i < this.#finals.length; i++) mark(this.#finals.at(i));
    for (let i = 0; i < queued; i++) {
      for (let edge = start[queue[i]!]!; edge < start[queue[i]! + 1]!; edge++)
        mark(incoming[edge]!);
    }
    const first = canEnd.indexOf(0);
    if (first < 0) return null;
    // Where only failing tries are left it is easier to see why than where the way forks.
    for (let id = first; id < states; id++) {
      if (canEnd[id] === 0 && this.#staysHere(id)) return this.#pathTo(id);
    }
    return this.#pathTo(first);
  }

  /** Whether every move of a state leads back to it. */
  #staysHere(id: number): boolean {
    const last = id + 1 < this.#store.size ? this.#edgeStart.at(id + 1) : this.#edges.length;
    for (let edge = this.#edgeStart.at(id); edge < last; edge++) {
      if (this.#edges.at(edge) !== id) return false;
    }
    return true;
  }

  /** The edges turned round, as one list per state. */
  #reversed(states: number): { incoming: Uint32Array; start: Uint32Array } {
    const start = new Uint32Array(states + 2);
    const edges = this.#edges.length;
    for (let edge = 0; edge < edges; edge++) start[this.#edges.at(edge) + 2]!++;
    for (let id = 2; id < start.length; id++) start[id]! += start[id - 1]!;
    const incoming = new Uint32Array(edges);
    for (let id = 0; id < states; id++) {
      const last = id + 1 < states ? this.#edgeStart.at(id + 1) : edges;
      for (let edge = this.#edgeStart.at(id); edge < last; edge++) {
        incoming[start[this.#edges.at(edge) + 1]!++] = id;
      }
    }
    return { incoming, start };
  }
}
