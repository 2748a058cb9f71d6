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
import { GrowingList } from '../uint32-vector.ts';
import type { Packing } from '../packing.ts';
import { isFatal, Sightings, stuckSymptom, type Sighting } from '../violations.ts';
import type { SearchStatus } from '../search.ts';
import { StateStore } from '../store.ts';
import { PartedTwins } from '../symmetry.ts';
import { PersistentSets } from './persistent.ts';
import { Trail } from './parent-links.ts';
import { Twins } from './symmetry-reduction.ts';

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
  landings: Int32Array;
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
  /** Roles that are no twins. */
  readonly #apart = new Set<number>();
  #twins: Twins;
  readonly #options = new Int32Array(1 << 16);
  #store: StateStore;
  #trail = new Trail();
  #frames: Frame[] = [];
  /** By state: its place in {@link #frames} plus one, while it is there. */
  readonly #underWay = new Map<number, number>();
  #finals = new GrowingList();
  #from = new GrowingList();
  #to = new GrowingList();
  #sightings = new Sightings();
  /** Warnings that are noted: what they say, and at which step of a group. */
  readonly #warned = new Set<string>();
  #chain: Move[] = [];
  /** What was known of the steps when a choice first counted on it, −1 while none has. */
  #knownThen = -1;

  status: SearchStatus = 'running';
  transitions = 0;
  depth = 0;
  /** How often it began anew, having learned more of the program. */
  restarts = 0;

  constructor(system: System, packing: Packing, maxStates: number) {
    this.#system = system;
    this.#packing = packing;
    this.#maxStates = maxStates;
    this.#sets = new PersistentSets(system);
    this.#words = newState(system.machine);
    this.#store = new StateStore(packing);
    this.#twins = this.#findTwins();
    this.#begin();
  }

  get errors(): readonly Sighting[] {
    return this.#sightings.errors;
  }

  get warnings(): readonly Sighting[] {
    return this.#sightings.warnings;
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

  /** Does a part of the search; all of it anew when roles turn out to be no twins. */
  #orRestart(part: () => void): void {
    try {
      part();
    } catch (error) {
      if (!(error instanceof PartedTwins)) throw error;
      this.#twins = this.#findTwins();
      this.#restart();
    }
  }

  #findTwins(): Twins {
    for (;;) {
      try {
        return new Twins(this.#system, this.#apart);
      } catch (error) {
        if (!(error instanceof PartedTwins)) throw error;
      }
    }
  }

  /** The step that stands for `step` and for the same one of its role's twins. */
  groupStep(step: number): number {
    return this.#twins.groupStep(step);
  }

  #begin(): void {
    const { registers, machine } = this.#system;
    const initial = this.#system.initial();
    this.#chain = [];
    if (this.#noteSymptoms(-1)) return;
    copyState(machine, initial, this.#words);
    this.#packing.acceptGrowth();
    registers.normalise(this.#words);
    registers.acceptGrowth();
    this.#orRestart(() => this.#descend(-1));
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
    if (this.#make(frame.id, frame.moves[at]!, frame.landings[at]!)) this.#descend(frame.id);
  }

  /** Makes a move on the current state; returns whether the path goes on. */
  #make(from: number, move: Move, landing: number): boolean {
    this.#system.apply(this.#words, move, landing);
    this.transitions++;
    this.#chain.push(move);
    const isFine = this.#system.symptoms.length === 0;
    if (!isFine && this.#noteSymptoms(from)) return false;
    if (isFine) this.#system.registers.normaliseMove(this.#words);
    else this.#system.registers.normalise(this.#words);
    return true;
  }

  /** Goes on from the current state, reached from a stored one, to the next that is stored. */
  #descend(from: number): void {
    const system = this.#system;
    const { landings } = system;
    const longest = system.steps.canCircle ? LONGEST_CHAIN_IN_CIRCLES : LONGEST_CHAIN;
    for (;;) {
      if (this.#twins.areThere) this.#twins.requireNameless(this.#words);
      const count = system.moves(this.#words, this.#options);
      const enough = this.#choose(count);
      if (enough !== 1 || this.#chain.length >= longest || from < 0) {
        return this.#arrive(from, enough, count);
      }
      if (!this.#make(from, this.#options[0]!, landings[0]!)) return;
    }
  }

  #choose(count: number): number {
    const enough = this.#sets.choose(this.#words, this.#options, this.#system.landings, count);
    if (this.#knownThen < 0 && this.#sets.hasAssumed) this.#knownThen = this.#system.steps.size;
    return enough;
  }

  /** The moves of the current state are those of others: twins have changed places in it. */
  #chooseAgain(): number {
    return this.#choose(this.#system.moves(this.#words, this.#options));
  }

  /** Stores the current state, and its first `enough` moves to be tried. */
  #arrive(from: number, chosen: number, count: number): void {
    const { registers, landings } = this.#system;
    const hasMoved = this.#twins.areThere && this.#twins.arrange(this.#words);
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
    this.#trail.add(from, this.#chain, hasMoved ? [...this.#twins.order] : null);
    if (count === 0) return this.#stuck(id);
    const enough = hasMoved ? this.#chooseAgain() : chosen;
    this.#underWay.set(id, this.#frames.length);
    this.depth = Math.max(this.depth, this.#frames.length);
    this.#frames.push({
      id,
      moves: this.#options.slice(0, enough),
      landings: landings.slice(0, enough),
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
    frame.landings = Int32Array.from(left, (at) => this.#system.landings[at]!);
    frame.next = 0;
    frame.isFull = true;
  }

  #stuck(id: number): void {
    const isFinal = this.#system.isFinal(this.#words);
    if (isFinal) this.#finals.push(id);
    const path = this.#trail.pathTo(id);
    const words = this.#twins.areThere ? this.#replay(path) : this.#words;
    const symptoms = isFinal
      ? endSymptoms(this.#system, words)
      : [stuckSymptom(this.#system, words)];
    for (const symptom of symptoms) this.#sightings.note({ symptom, path }, path.length);
    if (isFatal(symptoms)) this.status = 'found';
  }

  /** Notes the symptoms of the last move; returns whether the path ends with them. */
  #noteSymptoms(from: number): boolean {
    const { symptoms } = this.#system;
    if (symptoms.length === 0 || !this.#areNews(symptoms)) return false;
    const path = from < 0 ? [...this.#chain] : this.#trail.pathTo(from, this.#chain);
    if (from >= 0 && this.#twins.areThere) this.#replay(path);
    invariant(symptoms.length > 0, 'a path of symmetric roles can be replayed');
    for (const symptom of symptoms) this.#sightings.note({ symptom, path }, path.length);
    if (!isFatal(symptoms)) return false;
    this.status = 'found';
    return true;
  }

  /** Of warnings the first is enough, and the way to it. */
  #areNews(symptoms: readonly Symptom[]): boolean {
    const before = this.#warned.size;
    for (const { rule, step, at } of symptoms) {
      this.#warned.add(`${rule} ${this.#twins.groupStep(step)} ${at}`);
    }
    return this.#warned.size > before || isFatal(symptoms);
  }

  /** Makes moves from the initial state on, by the names that roles have there. */
  #replay(path: readonly Move[]): Int32Array {
    this.#twins.close();
    const words = this.#system.initial();
    for (const move of path) this.#system.apply(words, move);
    return words;
  }

  /** Choices that counted on steps nobody had gone to are made again if somebody has by now. */
  #finish(): void {
    this.#twins.close();
    if (this.#knownThen >= 0 && this.#system.steps.size > this.#knownThen) return this.#restart();
    this.status = 'exhausted';
  }

  #restart(): void {
    this.restarts++;
    this.#sets.restart();
    this.#knownThen = -1;
    this.#store = new StateStore(this.#packing);
    this.#trail = new Trail();
    this.#frames = [];
    this.#underWay.clear();
    this.#finals = new GrowingList();
    this.#from = new GrowingList();
    this.#to = new GrowingList();
    this.#sightings = new Sightings();
    this.#warned.clear();
    this.depth = 0;
    this.#begin();
  }

  /**
   * After an exhausted search without errors: a schedule to a state from which no end can be
   * reached any more, or `null` (P11).
   */
  doomed(): readonly Move[] | null {
    if (!this.#system.steps.canCircle) return null;
    const reaches = canReach(this.#store.size, this.#from, this.#to, this.#finals);
    const first = reaches.indexOf(0);
    return first < 0 ? null : this.#trail.pathTo(first);
  }
}
