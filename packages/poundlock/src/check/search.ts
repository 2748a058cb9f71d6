// Exhaustive search: every interleaving. Breadth first, the first counterexample is a shortest.
import {
  copyState,
  endSymptoms,
  newState,
  type Move,
  type System,
} from '@poundlock/core/internal/system';
import { Uint32Vector } from './uint32-vector.ts';
import { firstNonTerminating } from './livelock.ts';
import type { Packing } from './packing.ts';
import { isFatal, ViolationSet, stuckSymptom, type Violation } from './violations.ts';
import { StateStore } from './store.ts';

export type SearchStatus = 'running' | 'exhausted' | 'found' | 'max-states';

const NO_PARENT = 0xffffffff;

/**
 * Searches all reachable states of a system. Call {@link run} until {@link status} is no longer
 * `running`; it returns after about `budget` transitions, so that the caller can show progress.
 */
export class Search {
  readonly #system: System;
  readonly #start: Int32Array | null;
  #maxStates: number;
  readonly #packing: Packing;
  #store: StateStore;
  #parents = new Uint32Vector();
  #moves = new Uint32Vector();
  #finals = new Uint32Vector();
  /** By state: the length of the schedule that found it. */
  #depths = new Uint32Vector();
  /** Whether a move led to a state that is not newer: every circle has such a move. */
  #mayCircle = false;
  /** The state that is expanded next: states are numbered in the order in which they are found. */
  #next = 0;
  readonly #words: Int32Array;
  readonly #successor: Int32Array;
  readonly #options: Int32Array;
  /** What was known of packing and registers when the first state was stored. */
  #generation = 0;

  status: SearchStatus = 'running';
  transitions = 0;
  depth = 0;
  #violations = new ViolationSet();

  /** Searches from `start`; from the initial state where it is `null`. */
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

  /** Errors of the shortest depth. */
  get errors(): readonly Violation[] {
    return this.#violations.errors;
  }

  /** Warnings of any depth. */
  get warnings(): readonly Violation[] {
    return this.#violations.warnings;
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
    // Another search of the same system has learned what makes the states of this one stale.
    if (this.status === 'running' && this.#generation !== this.#generationNow()) this.#restart();
    const until = this.transitions + budget;
    while (this.status === 'running' && this.transitions < until) this.#advance();
    return this.status;
  }

  /** Goes on with another bound of states where one has ended it. */
  allow(maxStates: number): void {
    this.#maxStates = maxStates;
    if (this.status === 'max-states') this.status = 'running';
  }

  #begin(): void {
    const initial = this.#system.initial();
    let isOver = false;
    if (this.#start !== null) copyState(this.#system.machine, this.#start, initial);
    else if (this.#system.symptoms.length > 0) isOver = this.#noteSymptoms(NO_PARENT, -1, 0);
    // Words that are never stored keep the values they have here.
    copyState(this.#system.machine, initial, this.#words);
    copyState(this.#system.machine, initial, this.#successor);
    this.#system.registers.normalize(initial);
    // A state to start from may not fit yet: the second time it does.
    this.#packing.write(initial);
    this.#packing.write(initial);
    // Nothing is stored yet that could be stale.
    this.#packing.acceptGrowth();
    this.#system.registers.acceptGrowth();
    this.#generation = this.#generationNow();
    this.#store.add();
    this.#parents.push(NO_PARENT);
    this.#moves.push(0);
    this.#depths.push(0);
    // What follows an error is no schedule of the program.
    this.#next = isOver ? 1 : 0;
  }

  #generationNow(): number {
    return this.#packing.generation + this.#system.registers.generation;
  }

  #advance(): void {
    const { errorDepth } = this.#violations;
    const id = this.#next;
    if (id === this.#store.size || this.#isBeyond(errorDepth, id)) {
      this.status = errorDepth >= 0 ? 'found' : 'exhausted';
    } else if (this.#store.size > this.#maxStates) {
      this.status = 'max-states';
    } else {
      this.#next++;
      this.depth = this.#depths.at(id);
      this.#expand(id);
    }
  }

  /** Whether what follows a state is longer than the schedule of an error. */
  #isBeyond(errorDepth: number, id: number): boolean {
    const depth = this.#depths.at(id);
    return errorDepth >= 0 && depth > this.depth && errorDepth <= depth;
  }

  #expand(id: number): void {
    const system = this.#system;
    const packing = this.#packing;
    const store = this.#store;
    const { registers } = system;
    const [words, successor, options] = [this.#words, this.#successor, this.#options];
    store.read(id, words, successor);
    const count = system.moves(words, options);
    if (count === 0) return this.#stuck(id, words);
    for (let i = 0; i < count; i++) {
      const move = options[i]!;
      system.apply(successor, move, system.completions[i]!);
      this.transitions++;
      if (system.symptoms.length === 0 || !this.#noteSymptoms(id, move, this.depth + 1)) {
        registers.normalizeMove(successor);
        packing.writeMove(successor);
        const found = store.add();
        if (store.isNew) {
          this.#parents.push(id);
          this.#moves.push(move);
          this.#depths.push(this.depth + 1);
        } else if (found <= id) this.#mayCircle = true;
        // What was stored before the program showed a new register or word is stale: start again.
        if (packing.hasGrown || registers.hasGrown) return this.#restart();
      }
      packing.restore(words, successor);
    }
  }

  #stuck(id: number, words: Int32Array): void {
    const isFinal = this.#system.isFinal(words);
    if (isFinal) this.#finals.push(id);
    const symptoms = isFinal
      ? endSymptoms(this.#system, words)
      : [stuckSymptom(this.#system, words)];
    for (const symptom of symptoms) {
      this.#violations.note({ symptom, path: this.#pathTo(id) }, this.depth);
    }
  }

  /** Notes the symptoms of the last move; returns whether the path ends with them. */
  #noteSymptoms(id: number, move: Move, depth: number): boolean {
    const { symptoms } = this.#system;
    for (const symptom of symptoms) {
      if (!this.#violations.accepts(symptom, depth)) continue;
      const path = id === NO_PARENT ? [] : [...this.#pathTo(id), move];
      this.#violations.note({ symptom, path }, depth);
    }
    return isFatal(symptoms);
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
    this.#parents = new Uint32Vector();
    this.#moves = new Uint32Vector();
    this.#mayCircle = false;
    this.#finals = new Uint32Vector();
    this.#depths = new Uint32Vector();
    this.depth = 0;
    this.transitions = 0;
    this.#violations = new ViolationSet();
    this.#begin();
  }

  /**
   * After an exhausted search without errors: a shortest schedule to a state from which no end can
   * be reached any more, or `null` (P11).
   */
  cannotTerminate(): readonly Move[] | null {
    if (!this.#mayCircle || !this.#system.steps.canCircle) return null;
    const initial = this.#system.initial();
    if (this.#start !== null) copyState(this.#system.machine, this.#start, initial);
    const id = firstNonTerminating(this.#system, this.#packing, this.#store, this.#finals, initial);
    return id < 0 ? null : this.#pathTo(id);
  }
}
