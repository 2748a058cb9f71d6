// Depth-first search with persistent sets: every finding, in few of the interleavings.
import { invariant } from '@poundlock/core/internal/base';
import {
  copyState,
  endSymptoms,
  newState,
  type Move,
  type System,
} from '@poundlock/core/internal/system';
import type { Symptom } from '@poundlock/core/internal/system';
import { canReach } from '../backward-reachability.ts';
import { Uint32Vector } from '../uint32-vector.ts';
import type { Packing } from '../packing.ts';
import { isFatal, ViolationSet, stuckSymptom, type Violation } from '../violations.ts';
import type { SearchStatus } from '../search.ts';
import { StateStore } from '../store.ts';
import { SymmetryBroken } from '../symmetry.ts';
import { PersistentSets } from './persistent.ts';
import { ParentLinks } from './parent-links.ts';
import { SymmetryReduction } from './symmetry-reduction.ts';

/** The most moves without a choice that are made before a state is stored. */
const LONGEST_CHAIN = 1024;
/** The same where states may come again: a circle must not be missed for long. */
const LONGEST_CHAIN_IN_CIRCLES = 16;

/** So much is compared for a move of a usual program. */
const COMPARED_FOR_A_MOVE = 100;

/** A stored state whose moves are being tried. */
interface Frame {
  readonly id: number;
  moves: Int32Array;
  completions: Int32Array;
  next: number;
  /** Whether all its moves are tried, and whether they must be. */
  isFull: boolean;
  mustBeFull: boolean;
}

/**
 * Searches depth first, and of each state only a persistent set of moves. States with one such move
 * are gone through and not stored. A state that is met again while it is under way closes a circle,
 * and is then tried in full, so that no agent is forgotten in circles of others. States that differ
 * only in which of several equal roles does what are one.
 */
export class ReducedSearch {
  readonly #system: System;
  readonly #packing: Packing;
  readonly #maxStates: number;
  readonly #sets: PersistentSets;
  readonly #words: Int32Array;
  /** Roles that are not symmetric to others. */
  readonly #asymmetric = new Set<number>();
  #symmetry: SymmetryReduction;
  readonly #options = new Int32Array(1 << 16);
  #store: StateStore;
  #links = new ParentLinks();
  #frames: Frame[] = [];
  /** By state: its place in {@link #frames} plus one, while it is there. */
  readonly #underWay = new Map<number, number>();
  #finals = new Uint32Vector();
  #from = new Uint32Vector();
  #to = new Uint32Vector();
  #violations = new ViolationSet();
  /** Warnings that are noted: what they say, and at which step of a group. */
  readonly #warned = new Set<string>();
  #chain: Move[] = [];
  /** What was known of the steps when a choice first counted on it, −1 while none has. */
  #knownThen = -1;
  /** What was known of packing and registers when the first state was stored. */
  #generation = 0;

  status: SearchStatus = 'running';
  transitions = 0;
  depth = 0;
  /** How often it restarted, having learned more of the program. */
  restarts = 0;

  constructor(system: System, packing: Packing, maxStates: number) {
    this.#system = system;
    this.#packing = packing;
    this.#maxStates = maxStates;
    this.#sets = new PersistentSets(system);
    this.#words = newState(system.machine);
    this.#store = new StateStore(packing);
    this.#symmetry = this.#findSymmetry();
    this.#begin();
  }

  get errors(): readonly Violation[] {
    return this.#violations.errors;
  }

  get warnings(): readonly Violation[] {
    return this.#violations.warnings;
  }

  /** Stored states: those with a choice, ends, and some between. */
  get states(): number {
    return this.#store.size;
  }

  get frontier(): number {
    return this.#frames.length;
  }

  get bytes(): number {
    return this.#store.bytes;
  }

  /** Explores until about as much is done as `budget` transitions are, or the search is over. */
  run(budget: number): SearchStatus {
    // Another search of the same system has learned what makes the states of this one stale.
    if (this.status === 'running' && this.#generation !== this.#generationNow()) this.#restart();
    let left = budget;
    while (this.status === 'running' && left > 0) {
      const { transitions } = this;
      const { compared } = this.#sets;
      this.#orRestart(() => this.#advance());
      left -= Math.max(0, this.transitions - transitions);
      // Where many flights are open, a move costs far more than elsewhere.
      left -= (this.#sets.compared - compared) / COMPARED_FOR_A_MOVE;
    }
    return this.status;
  }

  /** Does a part of the search; restarts it when roles turn out not to be symmetric. */
  #orRestart(part: () => void): void {
    try {
      part();
    } catch (error) {
      if (!(error instanceof SymmetryBroken)) throw error;
      this.#symmetry = this.#findSymmetry();
      this.#restart();
    }
  }

  #findSymmetry(): SymmetryReduction {
    for (;;) {
      try {
        return new SymmetryReduction(this.#system, this.#asymmetric);
      } catch (error) {
        if (!(error instanceof SymmetryBroken)) throw error;
      }
    }
  }

  /** The step that represents `step` and the same one of symmetric roles. */
  groupStep(step: number): number {
    return this.#symmetry.groupStep(step);
  }

  #begin(): void {
    const { registers, machine } = this.#system;
    const initial = this.#system.initial();
    this.#chain = [];
    if (this.#noteSymptoms(-1)) return;
    copyState(machine, initial, this.#words);
    this.#packing.acceptGrowth();
    registers.normalize(this.#words);
    registers.acceptGrowth();
    this.#generation = this.#generationNow();
    this.#orRestart(() => this.#descend(-1));
  }

  #generationNow(): number {
    return this.#packing.generation + this.#system.registers.generation;
  }

  #advance(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return this.#finish();
    if (this.#store.size > this.#maxStates) {
      this.status = 'max-states';
      return;
    }
    if (frame.next === frame.moves.length) return this.#leave(frame);
    this.#store.read(frame.id, this.#words);
    const at = frame.next++;
    this.#chain = [];
    if (this.#make(frame.id, frame.moves[at]!, frame.completions[at]!)) this.#descend(frame.id);
  }

  /** Makes a move on the current state; returns whether the path goes on. */
  #make(from: number, move: Move, completion: number): boolean {
    this.#system.apply(this.#words, move, completion);
    this.transitions++;
    this.#chain.push(move);
    const isFine = this.#system.symptoms.length === 0;
    if (!isFine && this.#noteSymptoms(from)) return false;
    if (isFine) this.#system.registers.normalizeMove(this.#words);
    else this.#system.registers.normalize(this.#words);
    return true;
  }

  /** Goes on from the current state, reached from a stored one, to the next that is stored. */
  #descend(from: number): void {
    const system = this.#system;
    const { completions } = system;
    const longest = system.steps.canCircle ? LONGEST_CHAIN_IN_CIRCLES : LONGEST_CHAIN;
    for (;;) {
      if (this.#symmetry.isActive) this.#symmetry.excludeJoined(this.#words);
      const count = system.moves(this.#words, this.#options);
      const enough = this.#choose(count);
      if (enough !== 1 || this.#chain.length >= longest || from < 0) {
        return this.#arrive(from, enough, count);
      }
      if (!this.#make(from, this.#options[0]!, completions[0]!)) return;
    }
  }

  #choose(count: number): number {
    const enough = this.#sets.choose(this.#words, this.#options, this.#system.completions, count);
    if (this.#knownThen < 0 && this.#sets.hasAssumed) this.#knownThen = this.#system.steps.size;
    return enough;
  }

  /** The moves of the current state belong to other roles: it was brought into canonical order. */
  #chooseAgain(): number {
    return this.#choose(this.#system.moves(this.#words, this.#options));
  }

  /** Stores the current state, and its first `enough` moves to be tried. */
  #arrive(from: number, chosen: number, count: number): void {
    const { registers, completions } = this.#system;
    const hasMoved = this.#symmetry.isActive && this.#symmetry.arrange(this.#words);
    this.#packing.write(this.#words);
    // What was stored before the program showed a new register or word is stale: start again.
    if (this.#packing.hasGrown || registers.hasGrown) return this.#restart();
    const id = this.#store.add();
    if (from >= 0) {
      this.#from.push(from);
      this.#to.push(id);
    }
    if (!this.#store.isNew) {
      const place = this.#underWay.get(id);
      if (place !== undefined) this.#frames[place]!.mustBeFull = true;
      return;
    }
    this.#links.add(from, this.#chain, hasMoved ? [...this.#symmetry.order] : null);
    if (count === 0) return this.#stuck(id);
    const enough = hasMoved ? this.#chooseAgain() : chosen;
    this.#underWay.set(id, this.#frames.length);
    this.depth = Math.max(this.depth, this.#frames.length);
    this.#frames.push({
      id,
      moves: this.#options.slice(0, enough),
      completions: completions.slice(0, enough),
      next: 0,
      isFull: enough === count,
      mustBeFull: false,
    });
  }

  /** All moves of a state are tried, or those that were left out must be. */
  #leave(frame: Frame): void {
    if (frame.isFull || !frame.mustBeFull) {
      this.#underWay.delete(frame.id);
      this.#frames.pop();
      return;
    }
    this.#store.read(frame.id, this.#words);
    const count = this.#system.moves(this.#words, this.#options);
    const isLeft = (at: number): boolean => !frame.moves.includes(this.#options[at]!);
    const left = Array.from({ length: count }, (_, at) => at).filter(isLeft);
    frame.moves = Int32Array.from(left, (at) => this.#options[at]!);
    frame.completions = Int32Array.from(left, (at) => this.#system.completions[at]!);
    frame.next = 0;
    frame.isFull = true;
  }

  #stuck(id: number): void {
    const isFinal = this.#system.isFinal(this.#words);
    if (isFinal) this.#finals.push(id);
    const path = this.#links.pathTo(id);
    const words = this.#symmetry.isActive ? this.#replay(path) : this.#words;
    const symptoms = isFinal
      ? endSymptoms(this.#system, words)
      : [stuckSymptom(this.#system, words)];
    for (const symptom of symptoms) this.#violations.note({ symptom, path }, path.length);
    if (isFatal(symptoms)) this.status = 'found';
  }

  /** Notes the symptoms of the last move; returns whether the path ends with them. */
  #noteSymptoms(from: number): boolean {
    const { symptoms } = this.#system;
    if (symptoms.length === 0 || !this.#areNews(symptoms)) return false;
    const path = from < 0 ? [...this.#chain] : this.#links.pathTo(from, this.#chain);
    if (from >= 0 && this.#symmetry.isActive) this.#replay(path);
    invariant(symptoms.length > 0, 'a path of symmetric roles can be replayed');
    for (const symptom of symptoms) this.#violations.note({ symptom, path }, path.length);
    if (!isFatal(symptoms)) return false;
    this.status = 'found';
    return true;
  }

  /** Of warnings the first is enough, and the way to it. */
  #areNews(symptoms: readonly Symptom[]): boolean {
    const before = this.#warned.size;
    for (const { rule, step, at } of symptoms) {
      this.#warned.add(`${rule} ${this.#symmetry.groupStep(step)} ${at}`);
    }
    return this.#warned.size > before || isFatal(symptoms);
  }

  /** Makes moves from the initial state on, by the names that roles have there. */
  #replay(path: readonly Move[]): Int32Array {
    this.#symmetry.close();
    const words = this.#system.initial();
    for (const move of path) this.#system.apply(words, move);
    return words;
  }

  /** Restarts if steps were unfolded since a choice assumed that there are no others. */
  #finish(): void {
    this.#symmetry.close();
    if (this.#knownThen >= 0 && this.#system.steps.size > this.#knownThen) return this.#restart();
    this.status = 'exhausted';
  }

  #restart(): void {
    this.restarts++;
    this.#sets.restart();
    this.#knownThen = -1;
    this.#store = new StateStore(this.#packing);
    this.#links = new ParentLinks();
    this.#frames = [];
    this.#underWay.clear();
    this.#finals = new Uint32Vector();
    this.#from = new Uint32Vector();
    this.#to = new Uint32Vector();
    this.#violations = new ViolationSet();
    this.#warned.clear();
    this.depth = 0;
    this.#begin();
  }

  /**
   * After an exhausted search without errors: a schedule to a state from which no end can be
   * reached any more, or `null` (P11).
   */
  cannotTerminate(): readonly Move[] | null {
    if (!this.#system.steps.canCircle) return null;
    const reaches = canReach(this.#store.size, this.#from, this.#to, this.#finals);
    const first = reaches.indexOf(0);
    return first < 0 ? null : this.#links.pathTo(first);
  }
}
