// One thread of a parallel search: takes states of a level, and meets the others at its end.
import { Alarm, TimeUpError } from '@poundlock/core/internal/base';
import { Program, Unfolding, type Kernel } from '@poundlock/core/internal/program';
import type { Parameters } from '@poundlock/core/internal/finding';
import {
  copyState,
  endSymptoms,
  newState,
  System,
  type Marks,
  type Symptom,
} from '@poundlock/core/internal/system';
import { Uint32Vector } from '../uint32-vector.ts';
import { Packing } from '../packing.ts';
import type { Ranges } from '../ranges.ts';
import { isFatal, stuckSymptom } from '../violations.ts';
import { severityOf } from '@poundlock/core/internal/finding';
import { Control, endFor, Ending, meet, NO_ERROR } from './control.ts';
import { SharedStates, type SharedBuffers } from './shared-states.ts';
import { SharedSteps } from './shared-steps.ts';

/** States that a thread takes at one time. */
const TAKEN = 32;
/** The most violations that one thread reports. */
const MAX_REPORTED = 64;

/** What a thread needs to take part. */
export interface Task {
  readonly buffers: SharedBuffers;
  readonly params: Parameters;
  readonly members: number;
  readonly member: number;
  readonly maxStates: number;
  /** What the program has shown so far: how values are packed, and which registers there are. */
  readonly ranges: Ranges;
  readonly marks: Marks;
}

/** A symptom, the state before it and the move that showed it; −1 for none. */
export interface Seen {
  readonly symptom: Symptom;
  readonly depth: number;
  readonly offset: number;
  readonly move: number;
}

/** What a thread has found. */
export interface MemberReport {
  readonly seen: readonly Seen[];
  readonly finals: Uint32Array;
  /** Moves between states by number, where circles had to be looked for. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly ranges: Ranges;
  readonly marks: Marks;
  readonly error: unknown;
}

/** Runs one thread's part of a search to its end. Blocks the thread. */
export function runMember(kernel: Kernel, task: Task): MemberReport {
  return new Member(kernel, task).run();
}

class Member {
  readonly #task: Task;
  readonly #control: Int32Array;
  readonly #system: System;
  readonly #steps: SharedSteps;
  readonly #packing: Packing;
  readonly #states: SharedStates;
  readonly #words: Int32Array;
  readonly #successor: Int32Array;
  readonly #options = new Int32Array(1 << 16);
  readonly #seen: Seen[] = [];
  readonly #finals = new Uint32Vector();
  readonly #from = new Uint32Vector();
  readonly #to = new Uint32Vector();
  #transitions = 0;
  #error: unknown = null;
  #isReady = false;

  constructor(kernel: Kernel, task: Task) {
    const { buffers } = task;
    this.#task = task;
    this.#control = new Int32Array(buffers.control);
    const log = new Int32Array(buffers.log);
    let steps: SharedSteps | undefined;
    const alarm = new Alarm(() => this.#reasonToStop());
    const one = new Program(kernel, task.params, null, undefined, alarm);
    this.#system = new System(one, (program, machine) => {
      return (steps = new SharedSteps(new Unfolding(program, machine), this.#control, log));
    });
    this.#steps = steps!;
    const initial = this.#system.initial();
    this.#system.registers.adopt(task.marks);
    this.#packing = new Packing(this.#system.machine, initial, task.ranges);
    this.#states = new SharedStates(buffers, this.#packing, task.maxStates);
    this.#words = newState(this.#system.machine);
    this.#successor = newState(this.#system.machine);
    copyState(this.#system.machine, initial, this.#words);
    copyState(this.#system.machine, initial, this.#successor);
  }

  run(): MemberReport {
    const { member } = this.#task;
    this.#isReady = true;
    this.#try(() => member === 0 && this.#begin());
    this.#meet(() => this.#nextLevel());
    while (Atomics.load(this.#control, Control.isOver) === 0) {
      // What others have unfolded may be in the states of this level.
      this.#try(() => this.#steps.catchUp());
      this.#try(() => this.#takeAll((number) => this.#expand(number)));
      this.#try(() => this.#states.flush());
      Atomics.add(this.#control, Control.transitions, this.#transitions);
      this.#transitions = 0;
      this.#meet(() => this.#nextLevel());
    }
    if (this.#mustSeekCircles()) this.#try(() => this.#seekCircles());
    return {
      seen: this.#seen,
      finals: this.#finals.toArray(),
      from: this.#from.toArray(),
      to: this.#to.toArray(),
      ranges: this.#packing.ranges,
      marks: this.#system.registers.marks,
      error: this.#error,
    };
  }

  #begin(): void {
    const words = this.#system.initial();
    this.#system.registers.normalize(words);
    this.#packing.write(words);
    this.#states.add(0, 0);
    this.#states.flush();
  }

  #meet(between: () => void): void {
    meet(this.#control, this.#task.members, between);
  }

  /** What goes wrong here must end the search for all: the others wait. */
  #try(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      if (error instanceof TimeUpError) return;
      this.#error ??= error;
      endFor(this.#control, Ending.failed);
    }
  }

  /** The main thread has the clock. The others wait for a thread that is not ready. */
  #reasonToStop(): string | null {
    if (!this.#isReady) return null;
    return this.#control[Control.ending] === Ending.stopped ? 'the search was stopped' : null;
  }

  /** The last thread to end a level says what comes next. */
  #nextLevel(): void {
    const control = this.#control;
    const end = control[Control.queueEnd]!;
    const errorDepth = control[Control.errorDepth]!;
    const depth = control[Control.levelEnd] === 0 ? 0 : control[Control.depth]! + 1;
    if (errorDepth <= depth) endFor(control, Ending.found);
    else if (control[Control.levelEnd] === end) {
      endFor(control, errorDepth === NO_ERROR ? Ending.exhausted : Ending.found);
    }
    control[Control.next] = control[Control.levelEnd]!;
    control[Control.levelEnd] = end;
    control[Control.depth] = depth;
    control[Control.isOver] = control[Control.ending] === Ending.none ? 0 : 1;
  }

  /** Takes states until all are taken. */
  #takeAll(visit: (number: number) => void): void {
    const control = this.#control;
    const end = Atomics.load(control, Control.levelEnd);
    for (;;) {
      const first = Atomics.add(control, Control.next, TAKEN);
      const last = Math.min(first + TAKEN, end);
      for (let number = first; number < last && !this.#hasGrown; number++) visit(number);
      if (last >= end || isEndingEarly(control)) return;
    }
  }

  #expand(number: number): void {
    const system = this.#system;
    const states = this.#states;
    const [words, successor, options] = [this.#words, this.#successor, this.#options];
    const control = this.#control;
    const end = control[Control.levelEnd]!;
    const offset = states.at(number);
    states.read(offset, words, successor);
    const count = system.moves(words, options);
    if (count === 0) return this.#stuck(number, offset);
    for (let i = 0; i < count; i++) {
      const move = options[i]!;
      system.apply(successor, move, system.completions[i]!);
      this.#transitions++;
      if (!this.#notes(offset, move)) {
        this.#pack(successor);
        // What was packed before can not be read by this thread any more.
        if (this.#hasGrown) return endFor(control, Ending.grown);
        const found = states.add(offset, move);
        // A state of this level or one before it may close a circle.
        if (!states.isNew && states.numberOf(found) < end) control[Control.mayCircle] = 1;
      }
      this.#packing.restore(words, successor);
    }
  }

  #pack(successor: Int32Array): void {
    const { registers } = this.#system;
    registers.normalizeMove(successor);
    this.#packing.writeMove(successor);
  }

  get #hasGrown(): boolean {
    return this.#packing.hasGrown || this.#system.registers.hasGrown;
  }

  #stuck(number: number, offset: number): void {
    const isFinal = this.#system.isFinal(this.#words);
    if (isFinal) this.#finals.push(number);
    const depth = this.#control[Control.depth]!;
    const symptoms = isFinal
      ? endSymptoms(this.#system, this.#words)
      : [stuckSymptom(this.#system, this.#words)];
    for (const symptom of symptoms) this.#see({ symptom, depth, offset, move: -1 });
  }

  /** Keeps the symptoms of a move; returns whether the path ends with them. */
  #notes(offset: number, move: number): boolean {
    const { symptoms } = this.#system;
    if (symptoms.length === 0) return false;
    const depth = this.#control[Control.depth]! + 1;
    for (const symptom of symptoms) this.#see({ symptom, depth, offset, move });
    return isFatal(symptoms);
  }

  #see(seen: Seen): void {
    if (severityOf(seen.symptom.rule) === 'error') {
      let least = Atomics.load(this.#control, Control.errorDepth);
      while (seen.depth < least) {
        const was = Atomics.compareExchange(this.#control, Control.errorDepth, least, seen.depth);
        if (was === least) break;
        least = was;
      }
    }
    if (this.#seen.length < MAX_REPORTED) this.#seen.push(seen);
  }

  #mustSeekCircles(): boolean {
    if (Atomics.load(this.#control, Control.ending) !== Ending.exhausted) return false;
    this.#steps.catchUp();
    return this.#control[Control.mayCircle] === 1 && this.#steps.canCircle;
  }

  /** P11: makes every move once more, and lists where it leads. */
  #seekCircles(): void {
    this.#meet(() => {
      this.#control[Control.next] = 0;
      this.#control[Control.levelEnd] = this.#control[Control.queueEnd]!;
    });
    this.#takeAll((number) => {
      const system = this.#system;
      this.#states.read(this.#states.at(number), this.#words, this.#successor);
      const count = system.moves(this.#words, this.#options);
      for (let i = 0; i < count; i++) {
        system.apply(this.#successor, this.#options[i]!, system.completions[i]!);
        if (!isFatal(system.symptoms)) {
          this.#pack(this.#successor);
          this.#from.push(number);
          this.#to.push(this.#states.numberOf(this.#states.find()));
        }
        this.#packing.restore(this.#words, this.#successor);
      }
    });
  }
}

function isEndingEarly(control: Int32Array): boolean {
  const ending = Atomics.load(control, Control.ending);
  return ending !== Ending.none && ending !== Ending.exhausted;
}
