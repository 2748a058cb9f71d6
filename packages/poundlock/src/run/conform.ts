// Conformance: the recorded traces of a run, as a path of the machine, or proof that they are none.
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

/** The most moves, beyond those of the traces, that are made to find an order (bound `orders`). */
export const MAX_EXTRA_MOVES = 200_000;

/** What the traces show. */
export interface Replayed {
  readonly system: System;
  readonly names: Names;
  /** The moves of the path. */
  readonly path: readonly Move[];
  /** The state that it leads to. */
  readonly words: Int32Array;
  /** What is wrong there; empty when nothing is. */
  readonly symptoms: readonly Symptom[];
  /** Whether the path has every recorded operation, up to the first thing that is wrong. */
  readonly conforms: boolean;
  /** Why it does not: the operation that no order explains. */
  readonly reason: string | null;
}

interface Candidate {
  readonly role: number;
  readonly move: Move;
  /** Whether it lands what the role has issued. */
  readonly isCompletion: boolean;
  /** When the operation ended: the likeliest order is that of the ends. */
  readonly end: number;
}

/** A state with candidates that were not tried. */
interface Choice {
  readonly words: Int32Array;
  readonly at: Int32Array;
  readonly flightEnds: Float64Array;
  readonly pathLength: number;
  readonly rest: Candidate[];
}

/** The most states that are kept to come back to: old choices are hardly ever wrong. */
const MAX_CHOICES = 1000;
const MAX_MOVES = 1 << 17;

/**
 * Looks for an order of the recorded operations in which the machine allows each of them and gives
 * the recorded answer. An operation took effect between its two clock counts, so it can come next
 * only if no other role's next operation ended before it began. `isPrefix`: by role, whether the
 * trace was full before its role ended; then the path ends where the first such trace does. With
 * `isBroken` a role has seen a rule broken, and an order that shows it is looked for first.
 */
export function replayTraces(
  program: Program,
  traces: readonly (readonly TraceRecord[])[],
  isPrefix: readonly boolean[],
  isBroken = false,
): Replayed {
  const found = new Replay(program, traces, isPrefix, false).run(isBroken);
  if (found.conforms && (!isBroken || found.symptoms.length > 0)) return found;
  // A copy to several CTAs lands in one after the other, and others may move between.
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
  /** By role: when the operation ended whose flights are still to land; −1 where none are. */
  readonly #flightEnds: Float64Array;
  /** Whether others may move before all that a role has issued has landed. */
  readonly #completesSeparately: boolean;
  #extraMoves = 0;
  /** The first order of all records, where it shows nothing wrong and another one may. */
  #whole: { readonly path: readonly Move[]; readonly words: Int32Array } | null = null;

  constructor(
    program: Program,
    traces: readonly (readonly TraceRecord[])[],
    isPrefix: readonly boolean[],
    completesSeparately: boolean,
  ) {
    this.#completesSeparately = completesSeparately;
    this.#flightEnds = new Float64Array(traces.length).fill(-1);
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

  /** No order shows what is wrong: the first one stands. */
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

  /** What is wrong now; a late pass alone does not end a path. */
  #errors(): Symptom[] {
    return this.#system.symptoms.filter(({ rule }) => rule !== 'late-pass');
  }

  /** Whether every record was made, or a trace that was full is used up. */
  #isOver(): boolean {
    let isOver = true;
    for (const [role, trace] of this.#traces.entries()) {
      const isDone = trace[this.#at[role]!] === undefined;
      if (isDone && this.#isPrefix[role] === true) return true;
      isOver &&= isDone;
    }
    return isOver;
  }

  /** The records and landings that can come next, the likeliest first. */
  #candidates(): Candidate[] {
    const found = this.#completions();
    const next = this.#traces.map((trace, role) => trace[this.#at[role]!]);
    let firstEnd = Infinity;
    for (const { end } of found) firstEnd = Math.min(firstEnd, end);
    for (const record of next) if (record !== undefined) firstEnd = Math.min(firstEnd, record.end);
    for (const [role, record] of next.entries()) {
      // One that began after another had ended comes after it; a role lands before it goes on.
      if (record === undefined || this.#flightEnds[role]! >= 0) continue;
      if (record.begin >= firstEnd && record.end !== firstEnd) continue;
      const move = this.#moveOf(role, record);
      if (move >= 0) found.push({ role, move, isCompletion: false, end: record.end });
    }
    return found.sort((a, b) => a.end - b.end);
  }

  /** The landings of what roles have issued and not seen land. */
  #completions(): Candidate[] {
    if (this.#flightEnds.every((end) => end < 0)) return [];
    const { roles, landings: completions, machine } = this.#system;
    const count = this.#system.moves(this.#words, this.#moves);
    const found: Candidate[] = [];
    for (const [at, move] of this.#moves.subarray(0, count).entries()) {
      if (agentOf(move) < roles) continue;
      const { role } = machine.openFlights.flightAt(this.#words, completions[at]!);
      found.push({ role, move, isCompletion: true, end: this.#flightEnds[role]! });
    }
    return found;
  }

  /** The move that a record is now, or −1 where the machine does not allow it. */
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
      case OpKind.join:
        return moveOf(role, 0);
      default:
        return withoutAnswer(kind, role);
    }
  }

  /** What the machine would answer, tried on a copy. */
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

  /** Makes a move, and lands what it issued, as the run did. */
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

  /** Goes back to the last state that had another candidate. */
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

  /** The operations that no order explains, in words. */
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

/** Posted operations have no answers to compare; silent ones are not recorded. */
function withoutAnswer(_kind: PostedKind | SilentKind, role: number): Move {
  return moveOf(role, 0);
}
