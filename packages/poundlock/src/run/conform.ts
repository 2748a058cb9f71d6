// Conformance: searches for a path of the machine that explains the recorded traces of a run.
import { FlightKind, type Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind, type PostedKind, type SilentKind } from '@poundlock/core/internal/op';
import { Unfolding, type Program } from '@poundlock/core/internal/program';
import {
  agentOf,
  copyState,
  describe,
  moveOf,
  Names,
  newState,
  System,
  type Move,
  type Symptom,
} from '@poundlock/core/internal/system';
import type { TraceRecord } from './recorder.ts';

/** The most moves, beyond those of the traces, in the search for an order (bound `orders`). */
const MAX_EXTRA_MOVES = 200_000;

/** The result of a replay. */
export interface Replayed {
  readonly system: System;
  readonly names: Names;
  /** The moves of the path. */
  readonly path: readonly Move[];
  /** The state that it leads to. */
  readonly words: Int32Array;
  /** The violations in that state; empty if there are none. */
  readonly symptoms: readonly Symptom[];
  /** Whether the path contains every recorded operation, up to the first violation. */
  readonly conforms: boolean;
  /** If it does not conform: the operation that no order explains. */
  readonly reason: string | null;
}

interface Candidate {
  readonly role: number;
  readonly move: Move;
  /** Whether it completes a flight that the role has issued. */
  readonly isCompletion: boolean;
  /** When the operation ended: the order of the ends is the most likely one. */
  readonly end: number;
}

/** A state with candidates that have not been tried. */
interface Choice {
  readonly words: Int32Array;
  readonly at: Int32Array;
  readonly flightEnds: Float64Array;
  readonly pathLength: number;
  readonly rest: Candidate[];
}

/** The most saved states for backtracking: early choices are rarely wrong. */
const MAX_CHOICES = 1000;
const MAX_MOVES = 1 << 17;

/**
 * Searches for an order of the recorded operations in which the machine allows each of them and
 * returns the recorded result. An operation took effect between its two clock counts, so it can be
 * next only if no other role's next operation ended before it began. `isPrefix`: by role, whether
 * the trace was full before its role ended; the path ends where the first such trace does.
 * `isBroken`: a role has observed a rule violation, so orders that show one are preferred.
 */
export function replayTraces(
  program: Program,
  traces: readonly (readonly TraceRecord[])[],
  isPrefix: readonly boolean[],
  isBroken = false,
): Replayed {
  const found = new Replay(program, traces, isPrefix, false).run(isBroken);
  if (found.conforms && (!isBroken || found.symptoms.length > 0)) return found;
  // A copy to several CTAs completes in one after another, and other roles may move in between.
  const separate = new Replay(program, traces, isPrefix, true).run(isBroken);
  return found.conforms && separate.symptoms.length === 0 ? found : separate;
}

class Replay {
  readonly #system: System;
  readonly #names: Names;
  readonly #traces: readonly (readonly TraceRecord[])[];
  readonly #isPrefix: readonly boolean[];
  readonly #words: Int32Array;
  readonly #scratch: Int32Array;
  readonly #moves = new Int32Array(MAX_MOVES);
  readonly #path: Move[] = [];
  readonly #choices: Choice[] = [];
  /** By role: the next record. */
  readonly #at: Int32Array;
  /** By role: when the operation with open flights ended; −1 if no flights are open. */
  readonly #flightEnds: Float64Array;
  /** Whether other roles may move before all flights of an operation are complete. */
  readonly #completesSeparately: boolean;
  #extraMoves = 0;
  /** The first complete order, if it shows no violation but another order may. */
  #whole: { readonly path: readonly Move[]; readonly words: Int32Array } | null = null;

  constructor(
    program: Program,
    traces: readonly (readonly TraceRecord[])[],
    isPrefix: readonly boolean[],
    completesSeparately: boolean,
  ) {
    this.#completesSeparately = completesSeparately;
    this.#flightEnds = new Float64Array(traces.length).fill(-1);
    program.rows.areTextsRead = false;
    this.#system = new System(program, (_, machine) => new Unfolding(program, machine));
    this.#names = new Names(this.#system);
    this.#traces = traces;
    this.#isPrefix = isPrefix;
    this.#at = new Int32Array(traces.length);
    this.#scratch = newState(this.#system.machine);
    this.#words = this.#system.initial();
  }

  run(isBroken: boolean): Replayed {
    let reason: string | null = null;
    while (this.#errors().length === 0) {
      const isOver = this.#isOver();
      if (isOver && !isBroken) break;
      const candidates = isOver ? this.#completions() : this.#candidates();
      if (candidates.length > 0) {
        this.#choose(candidates);
        continue;
      }
      if (isOver) this.#whole ??= { path: [...this.#path], words: this.#words.slice() };
      else reason ??= this.#explainMismatch();
      if (!this.#backtrack()) return this.#whole === null ? this.#result(reason) : this.#useWhole();
    }
    return this.#result(null);
  }

  /** No order shows the violation: falls back to the first complete one. */
  #useWhole(): Replayed {
    const { path, words } = this.#whole!;
    this.#path.splice(0, this.#path.length, ...path);
    this.#words.set(words);
    this.#system.symptoms.length = 0;
    return this.#result(null);
  }

  #result(reason: string | null): Replayed {
    const common = { system: this.#system, names: this.#names, path: this.#path };
    const symptoms = this.#errors();
    return { ...common, words: this.#words, symptoms, conforms: reason === null, reason };
  }

  /** The current violations; a late pass alone does not end a path. */
  #errors(): Symptom[] {
    return this.#system.symptoms.filter(({ rule }) => rule !== 'late-pass');
  }

  /** Whether every record is replayed, or a trace that was full is exhausted. */
  #isOver(): boolean {
    let isOver = true;
    for (const [role, trace] of this.#traces.entries()) {
      const isDone = trace[this.#at[role]!] === undefined;
      if (isDone && this.#isPrefix[role] === true) return true;
      isOver &&= isDone;
    }
    return isOver;
  }

  /** The records and completions that can come next, the likeliest first. */
  #candidates(): Candidate[] {
    const found = this.#completions();
    const next = this.#traces.map((trace, role) => trace[this.#at[role]!]);
    let firstEnd = Infinity;
    for (const { end } of found) firstEnd = Math.min(firstEnd, end);
    for (const record of next) if (record !== undefined) firstEnd = Math.min(firstEnd, record.end);
    for (const [role, record] of next.entries()) {
      // It must follow each operation that ended before it began, and its role's open flights.
      if (record === undefined || this.#flightEnds[role]! >= 0) continue;
      if (record.begin >= firstEnd && record.end !== firstEnd) continue;
      const move = this.#moveOf(role, record);
      if (move >= 0) found.push({ role, move, isCompletion: false, end: record.end });
    }
    return found.sort((a, b) => a.end - b.end);
  }

  /** The completions of what roles have issued and not seen land. */
  #completions(): Candidate[] {
    if (this.#flightEnds.every((end) => end < 0)) return [];
    const { roles, completions, machine } = this.#system;
    const count = this.#system.moves(this.#words, this.#moves);
    const found: Candidate[] = [];
    for (const [at, move] of this.#moves.subarray(0, count).entries()) {
      if (agentOf(move) < roles) continue;
      const { role } = machine.openFlights.flightAt(this.#words, completions[at]!);
      found.push({ role, move, isCompletion: true, end: this.#flightEnds[role]! });
    }
    return found;
  }

  /** The move for a record in the current state, or −1 if the machine does not allow it. */
  #moveOf(role: number, { kind, target, answer }: TraceRecord): Move {
    const system = this.#system;
    const step = this.#words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    if (instruction?.kind !== kind || instruction.target !== target) return -1;
    const options = system.options(this.#words, role);
    if (options === 0) return -1;
    switch (kind) {
      case OpKind.choose:
        return answer < options ? moveOf(role, answer) : -1;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        if (answer === 1)
          return system.waits.passes(this.#words, instruction) ? moveOf(role, 0) : -1;
        return system.steps.isRetry(step) ? -1 : moveOf(role, options - 1);
      case OpKind.tryClaim:
        if (answer < 0) return system.steps.isRetry(step) ? -1 : moveOf(role, options - 1);
        if (!system.waits.passes(this.#words, instruction)) return -1;
        return system.stageOf(this.#words, instruction) === answer ? moveOf(role, 0) : -1;
      case OpKind.waitStage:
        return system.stageOf(this.#words, instruction) === answer ? moveOf(role, 0) : -1;
      case OpKind.load:
      case OpKind.fetchAdd:
      case OpKind.alloc:
        return this.#answerOf(instruction) === answer ? moveOf(role, 0) : -1;
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitGroup:
      case OpKind.syncNamed:
      case OpKind.syncCluster:
      case OpKind.waitCluster:
      case OpKind.takeRegisters:
      case OpKind.waitGrids:
      case OpKind.join:
        return moveOf(role, 0);
      default:
        return withoutAnswer(kind, role);
    }
  }

  /** The result that the machine would return, computed on a copy. */
  #answerOf(instruction: Instruction): number {
    const { machine } = this.#system;
    copyState(machine, this.#words, this.#scratch);
    return machine.issue(this.#scratch, instruction);
  }

  #choose(candidates: readonly Candidate[]): void {
    const [first, ...rest] = candidates;
    if (rest.length > 0) {
      const words = newState(this.#system.machine);
      copyState(this.#system.machine, this.#words, words);
      const [at, flightEnds] = [this.#at.slice(), this.#flightEnds.slice()];
      this.#choices.push({ words, at, flightEnds, pathLength: this.#path.length, rest });
      if (this.#choices.length > MAX_CHOICES) this.#choices.shift();
    }
    this.#execute(first!);
  }

  /** Performs a move and, as the run did, completes the flights that it issued. */
  #execute({ role, move, isCompletion, end }: Candidate): void {
    const system = this.#system;
    if (isCompletion) {
      this.#apply(move);
      if (!this.#hasFlights(role)) this.#flightEnds[role] = -1;
      return;
    }
    const issued = system.steps.instruction(this.#words[role]!)!.flights.length > 0;
    this.#at[role]! += 1;
    this.#apply(move);
    if (!issued) return;
    if (this.#completesSeparately) {
      if (this.#hasFlights(role)) this.#flightEnds[role] = end;
      return;
    }
    while (this.#errors().length === 0) {
      const count = system.moves(this.#words, this.#moves);
      const completion = this.#moves
        .subarray(0, count)
        .find((each) => agentOf(each) >= system.roles);
      if (completion === undefined) return;
      this.#apply(completion);
    }
  }

  #hasFlights(role: number): boolean {
    const open = this.#system.machine.openFlights;
    for (let index = 0; index < open.count(this.#words); index++) {
      const flight = open.flightAt(this.#words, index);
      if (flight.role === role && flight.kind !== FlightKind.group) return true;
    }
    return false;
  }

  #apply(move: Move): void {
    this.#system.apply(this.#words, move);
    this.#path.push(move);
  }

  /** Returns to the last state with another candidate. */
  #backtrack(): boolean {
    const choice = this.#choices.at(-1);
    if (choice === undefined || this.#extraMoves > MAX_EXTRA_MOVES) return false;
    this.#extraMoves += this.#path.length - choice.pathLength;
    const candidate = choice.rest.shift()!;
    if (choice.rest.length === 0) this.#choices.pop();
    copyState(this.#system.machine, choice.words, this.#words);
    this.#at.set(choice.at);
    this.#flightEnds.set(choice.flightEnds);
    this.#path.length = choice.pathLength;
    this.#system.symptoms.length = 0;
    this.#execute(candidate);
    return true;
  }

  /** Describes the operations that no order explains. */
  #explainMismatch(): string {
    const system = this.#system;
    const unexplained = this.#traces.flatMap((trace, role) => {
      const record = trace[this.#at[role]!];
      if (record === undefined) return [];
      const { name } = CATALOGUE[record.kind]!;
      const step = this.#words[role]!;
      const instruction = step < 0 ? null : system.steps.instruction(step);
      const here = instruction === null ? 'its end' : describe(this.#names, instruction);
      return [`${this.#names.agent(role)} performed ${name} (${record.answer}) at: ${here}`];
    });
    return `after ${this.#path.length} steps the model allows none of: ${unexplained.join('; ')}`;
  }
}

/** Posted operations have no results to compare; silent ones are not recorded. */
function withoutAnswer(_kind: PostedKind | SilentKind, role: number): Move {
  return moveOf(role, 0);
}
