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
import { firstDoomed } from './livelock.ts';
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
  #finals = new GrowingList();
  /** Whether a move led back to a state of the same depth or a lesser one: there may be circles. */
  #mayCircle = false;
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
    start: Int32Array | null = null,
  ) {
    this.#start = start;
    this.#system = system;
    this.#maxStates = maxStates;
    this.#packing = packing;
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
    // Nothing is stored yet that could be stale.
    this.#packing.acceptGrowth();
    this.#system.registers.acceptGrowth();
    this.#packing.write(initial);
    this.#store.add();
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
    const packing = this.#packing;
    const store = this.#store;
    const { registers } = system;
    const [words, successor, options] = [this.#words, this.#successor, this.#options];
    store.read(id, words);
    const count = system.moves(words, options);
    if (count === 0) return this.#stuck(id, words);
    packing.copy(words, successor);
    for (let i = 0; i < count; i++) {
      const move = options[i]!;
      system.apply(successor, move, system.landings[i]!);
      this.transitions++;
      if (system.symptoms.length === 0 || !this.#noteSymptoms(id, move, this.depth + 1)) {
        registers.normaliseMove(successor);
        packing.writeMove(successor);
        const found = store.add();
        if (store.isNew) {
          this.#parents.push(id);
          this.#moves.push(move);
        } else if (found < this.#levelEnd) this.#mayCircle = true;
        // What was stored before the program showed a new register or word is stale: start again.
        if (packing.hasGrown || registers.hasGrown) return this.#restart();
      }
      packing.restore(words, successor);
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
    this.#store = new StateStore(this.#packing);
    this.#parents = new GrowingList();
    this.#moves = new GrowingList();
    this.#mayCircle = false;
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
   * After an exhausted search without errors: a shortest schedule to a state from which no end can
   * be reached any more, or `null` (P11).
   */
  doomed(): readonly Move[] | null {
    if (!this.#mayCircle || !this.#system.steps.canCircle) return null;
    const initial = this.#system.initial();
    if (this.#start !== null) copyState(this.#system.machine, this.#start, initial);
    const id = firstDoomed(this.#system, this.#packing, this.#store, this.#finals, initial);
    return id < 0 ? null : this.#pathTo(id);
  }
}
