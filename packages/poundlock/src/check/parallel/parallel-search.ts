// Breadth-first search by several threads: the states and the verdict of one, in less time.
import { BoundError, invariant } from '@poundlock/core/internal/base';
import { severityOf } from '@poundlock/core/internal/finding';
import type { Parameters } from '@poundlock/core/internal/finding';
import type { Machine } from '@poundlock/core/internal/machine';
import { Unfolding, type Program } from '@poundlock/core/internal/program';
import { System, type Marks, type Move } from '@poundlock/core/internal/system';
import { canReach } from '../backward-reachability.ts';
import { Uint32Vector } from '../uint32-vector.ts';
import { Packing } from '../packing.ts';
import { LearnedRanges, type Ranges } from '../ranges.ts';
import { Search, type SearchStatus } from '../search.ts';
import { ViolationSet, type Violation } from '../violations.ts';
import { Control, CONTROL_WORDS, Ending, NO_ERROR, stopSearch } from './control.ts';
import type { MemberReport, Seen, Task } from './member.ts';
import { makeBuffers, SharedStates, type SharedBuffers } from './shared-states.ts';
import { MAX_LOGGED, SharedSteps } from './shared-steps.ts';

/** Threads at work, each of which calls `runMember` with its task. */
export interface SearchCrew {
  /** Waits for all reports, or at most so many milliseconds: then the answer is `null`. */
  wait(ms: number): Promise<readonly MemberReport[] | null>;
}

/** Starts a thread for each task. */
export type StartCrew = (tasks: readonly Task[]) => SearchCrew;

/** What a search has learned of a program: how values are packed, and which registers there are. */
export interface LearnedMarks {
  readonly ranges: Ranges;
  readonly marks: Marks;
}

/** States that one thread searches first, which shows how values are packed. */
const FIRST_STATES = 20_000;
/** Room for so many states at first, and how much more the next try has. */
const FIRST_ROOM = 1 << 20;
const MORE_ROOM = 8;
/** Words of a state beyond its lanes: half of its open flights, in all likelihood. */
const FLIGHT_WORDS = 6;
const MOST_ARENA_WORDS = 2 ** 31 - 1;
const PROGRESS_MS = 100;

/** Searches with several threads. {@link run} returns between waits, so that progress is seen. */
export class ParallelSearch {
  readonly system: System;
  readonly #program: Program;
  readonly #maxStates: number;
  readonly #firstStates: number;
  readonly #members: number;
  readonly #startCrew: StartCrew;
  readonly #shared: Pick<SharedBuffers, 'control' | 'log'>;
  readonly #control: Int32Array;
  readonly #steps: SharedSteps;
  readonly #packing: Packing;
  #violations = new ViolationSet();
  #cannotTerminate: readonly Move[] | null = null;
  #before = 0;

  status: SearchStatus = 'running';

  /** `known` is what other searches of the program have learned. */
  constructor(
    program: Program,
    maxStates: number,
    members: number,
    startCrew: StartCrew,
    known: LearnedMarks,
    firstStates = FIRST_STATES,
  ) {
    this.#firstStates = firstStates;
    const control = new SharedArrayBuffer(CONTROL_WORDS * 4);
    const log = new SharedArrayBuffer(MAX_LOGGED * 8);
    this.#program = program;
    this.#maxStates = maxStates;
    this.#members = members;
    this.#startCrew = startCrew;
    this.#shared = { control, log };
    this.#control = new Int32Array(control);
    let steps: SharedSteps | undefined;
    this.system = new System(program, (_, machine) => {
      const unfolding = new Unfolding(program, machine);
      return (steps = new SharedSteps(unfolding, this.#control, new Int32Array(log)));
    });
    this.#steps = steps!;
    this.#packing = new Packing(this.system.machine, this.system.initial(), known.ranges);
    this.system.registers.adopt(known.marks);
  }

  get states(): number {
    return this.#control[Control.queueEnd]!;
  }

  get transitions(): number {
    return this.#before + this.#control[Control.transitions]!;
  }

  get depth(): number {
    return this.#control[Control.depth]!;
  }

  get frontier(): number {
    return this.#control[Control.queueEnd]! - this.#control[Control.next]!;
  }

  get errors(): readonly Violation[] {
    return this.#violations.errors;
  }

  get warnings(): readonly Violation[] {
    return this.#violations.warnings;
  }

  /** After an exhausted search: see {@link Search.cannotTerminate}. */
  cannotTerminate(): readonly Move[] | null {
    return this.#cannotTerminate;
  }

  /**
   * Searches to the end, to a bound, or until `shouldStop`, which is asked from time to time; then
   * {@link status} is still `running`. A search that one thread ends soon is left to it: the answer
   * is that search.
   */
  async run(shouldStop: () => boolean): Promise<Search | ParallelSearch> {
    const few = Math.min(this.#maxStates, this.#firstStates);
    const first = new Search(this.system, this.#packing, few);
    if (first.run(Number.POSITIVE_INFINITY) !== 'max-states') return first;
    if (this.#maxStates <= few) return first;
    let room = Math.min(this.#maxStates, FIRST_ROOM);
    let known: LearnedMarks = { ranges: this.#packing.ranges, marks: this.system.registers.marks };
    for (;;) {
      const { ranges } = known;
      const buffers = this.#makeBuffers(room, ranges);
      const reports = await this.#try(buffers, known, room === this.#maxStates, shouldStop);
      const ending = this.#control[Control.ending]!;
      for (const { error } of reports) if (error !== null) throw error;
      known = together(this.system.machine, known, reports);
      if (ending === Ending.full) {
        if (room === this.#maxStates) throw new BoundError('store', room, 'the states need more');
        room = Math.min(this.#maxStates, room * MORE_ROOM);
      } else if (ending !== Ending.grown) {
        this.#conclude(ending, buffers, ranges, reports);
        return this;
      }
    }
  }

  #makeBuffers(room: number, ranges: Ranges): SharedBuffers {
    const { machine } = this.system;
    const { lanes } = new Packing(machine, ranges.least, ranges);
    const words = Math.min(lanes + FLIGHT_WORDS, Math.floor(MOST_ARENA_WORDS / room) - 8);
    return makeBuffers(this.#shared, room, words, this.#members);
  }

  async #try(
    buffers: SharedBuffers,
    { ranges, marks }: LearnedMarks,
    isLast: boolean,
    shouldStop: () => boolean,
  ): Promise<readonly MemberReport[]> {
    this.#before += this.#control[Control.transitions]!;
    this.#control.fill(0, Control.arenaEnd);
    this.#control[Control.errorDepth] = NO_ERROR;
    const maxStates = isLast ? this.#maxStates : Number.POSITIVE_INFINITY;
    const params: Parameters = this.#program.params;
    const crew = this.#startCrew(
      Array.from({ length: this.#members }, (_, member) => {
        return { buffers, params, members: this.#members, member, maxStates, ranges, marks };
      }),
    );
    for (;;) {
      const reports = await crew.wait(PROGRESS_MS);
      if (reports !== null) return reports;
      if (shouldStop()) stopSearch(this.#control);
    }
  }

  #conclude(
    ending: number,
    buffers: SharedBuffers,
    ranges: Ranges,
    reports: readonly MemberReport[],
  ): void {
    this.#steps.catchUp();
    const packing = new Packing(this.system.machine, ranges.least, ranges);
    const states = new SharedStates(buffers, packing, this.#maxStates);
    const seen = reports.flatMap((report) => report.seen);
    // The order in which threads come to states is chance: a fixed one gives the same findings.
    const inOrder = seen
      .map((one) => ({ ...one, path: pathOf(states, one) }))
      .toSorted((a, b) => a.depth - b.depth || compare(a.path, b.path));
    for (const { symptom, path, depth } of inOrder) this.#violations.note({ symptom, path }, depth);
    this.status = STATUS[ending] ?? 'running';
    if (ending === Ending.exhausted)
      this.#cannotTerminate = this.#findNonTerminating(states, reports);
    const hasError = seen.some(({ symptom }) => severityOf(symptom.rule) === 'error');
    invariant(
      hasError === this.#violations.errors.length > 0,
      'every error that was found is reported',
    );
  }

  /** Of the states from which no end can be reached, one that no move leaves, if there is one. */
  #findNonTerminating(
    states: SharedStates,
    reports: readonly MemberReport[],
  ): readonly Move[] | null {
    const [from, to, finals] = [new Uint32Vector(), new Uint32Vector(), new Uint32Vector()];
    for (const report of reports) {
      for (const one of report.from) from.push(one);
      for (const one of report.to) to.push(one);
      for (const one of report.finals) finals.push(one);
    }
    if (from.length === 0) return null;
    const reaches = canReach(this.states, from, to, finals);
    const leaves = new Uint8Array(this.states);
    for (let edge = 0; edge < from.length; edge++) {
      if (from.at(edge) !== to.at(edge)) leaves[from.at(edge)] = 1;
    }
    const stays = reaches.findIndex((can, number) => can === 0 && leaves[number] === 0);
    const chosen = stays < 0 ? reaches.indexOf(0) : stays;
    return chosen < 0 ? null : states.pathTo(states.at(chosen));
  }
}

const STATUS: Readonly<Record<number, SearchStatus>> = {
  [Ending.exhausted]: 'exhausted',
  [Ending.found]: 'found',
  [Ending.maxStates]: 'max-states',
};

function pathOf(states: SharedStates, { offset, move }: Seen): Move[] {
  const path = states.pathTo(offset);
  return move < 0 ? path : [...path, move];
}

function compare(a: readonly Move[], b: readonly Move[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** What the threads have learned of the program, together. */
function together(
  machine: Machine,
  before: LearnedMarks,
  reports: readonly MemberReport[],
): LearnedMarks {
  const ranges = new LearnedRanges(machine, before.ranges.least);
  ranges.adopt(before.ranges);
  const [uses, absolute] = [before.marks.uses.slice(), before.marks.absolute.slice()];
  for (const { ranges: more, marks } of reports) {
    ranges.adopt(more);
    marks.uses.forEach((use, at) => (uses[at]! |= use));
    marks.absolute.forEach((mark, at) => (absolute[at]! |= mark));
  }
  return { ranges: ranges.copy(), marks: { uses, absolute } };
}
