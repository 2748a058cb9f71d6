// Tries in a run that is made once: what a role did after each try that was answered with no (T7).
import type { Position } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Op } from '@poundlock/core/internal/op';
import { CertificateFailure } from './certificate-failure.ts';

/** Operations of one role that are recorded (bound `recorded`): later ones are not compared. */
const MAX_RECORDED = 2_000_000;
/** The key of an operation that tests no barrier. */
export const NO_TEST = -1;

/** The operations of a role, each with its answer and the phase that it tests. */
export class TryLog {
  readonly instructions: Instruction[] = [];
  readonly ops: Op[] = [];
  readonly answers: number[] = [];
  /** By operation: the barrier, in one of its lives, and its phase. */
  readonly barriers: number[] = [];
  readonly phases: number[] = [];
  /** By operation: whether it is a try that follows the same one, which failed (P07). */
  readonly retries = new Set<number>();
  /** By operation: whether it is the first try of a poll, whose result decides nothing. */
  readonly polls = new Set<number>();
  /** Tries that are neither. */
  tries = 0;
  isFull = false;

  add(op: Op, instruction: Instruction, answer: number, barrier: number, phase: number): void {
    if (this.instructions.length >= MAX_RECORDED) this.isFull = true;
    if (this.isFull) return;
    this.ops.push(op);
    this.instructions.push(instruction);
    this.answers.push(answer);
    this.barriers.push(barrier);
    this.phases.push(phase);
  }
}

/** Where a role is in its program: two operations in one place have no round of a loop between. */
export interface Place {
  readonly stretch: number;
  readonly depth: number;
  /** Its line, behind a try that has failed. */
  readonly position: Position | undefined;
}

/** The last try of a role, which a retry repeats. */
interface LastTry extends Place {
  readonly instruction: Instruction;
  /** The operations before it. */
  readonly length: number;
}

/**
 * The tries of one run, all answered with no. Each must be followed by a wait of its role for the
 * same phase, before the role tries that barrier again or ends: else it is a choice.
 */
export class OpenTries {
  readonly #barriers: number;
  readonly #learned: Set<number>;
  readonly #logs: (TryLog | undefined)[] = [];
  readonly #last: (LastTry | undefined)[] = [];
  /** By role and barrier: the phase that was tried, until the role waits for it. */
  readonly #open = new Map<number, number>();
  /** By barrier: its life, as a number that no other life of a barrier has. */
  readonly #lives: Int32Array;
  #nextLife: number;
  /** What the operation under way tests. */
  #tested = NO_TEST;
  #phase = 0;

  /** `learned` are the roles that have tries. */
  constructor(barriers: number, roles: number, learned: Set<number>) {
    this.#barriers = barriers;
    this.#learned = learned;
    this.#lives = Int32Array.from({ length: barriers }, (_, barrier) => barrier);
    this.#nextLife = barriers;
    for (let role = 0; role < roles; role++) if (learned.has(role)) this.#logs[role] = new TryLog();
  }

  /** Whether any role has tries. */
  get areRecorded(): boolean {
    return this.#learned.size > 0;
  }

  get rolesWithTries(): number {
    return this.#learned.size;
  }

  /** What a role did, if it has tries. */
  logOf(role: number): TryLog | undefined {
    return this.#logs[role];
  }

  /** A barrier is initialized again: its phases are others. */
  begin(barrier: number): void {
    this.#lives[barrier] = this.#nextLife++;
  }

  /** Whether a try of `role` repeats the one before, with nothing between. */
  repeats(role: number, instruction: Instruction, place: Place): boolean {
    const [last, log] = [this.#last[role], this.#logs[role]];
    if (last?.instruction !== instruction || log === undefined) return false;
    if (last.stretch !== place.stretch || last.depth !== place.depth) return false;
    return log.instructions.length === last.length + 1;
  }

  /** A try is answered with no. */
  fail(role: number, instruction: Instruction, place: Place, barrier: number, phase: number): void {
    const log = this.#logs[role];
    if (log === undefined) {
      this.#learned.add(role);
      throw new CertificateFailure('again', 'a role has tries');
    }
    const key = role * this.#barriers + barrier;
    if (this.#open.has(key)) failChoice();
    this.#open.set(key, phase);
    log.tries++;
    this.#last[role] = { ...place, instruction, length: log.instructions.length };
    this.#test(barrier, phase);
  }

  /** A wait or a retry of `role` has seen a phase complete. */
  wait(role: number, barrier: number, phase: number): void {
    const key = role * this.#barriers + barrier;
    const open = this.#open.get(key);
    if (open !== undefined) {
      if (open !== phase) failChoice();
      this.#open.delete(key);
    }
    this.#test(barrier, phase);
  }

  #test(barrier: number, phase: number): void {
    this.#tested = this.#lives[barrier]!;
    this.#phase = phase;
  }

  /** `role` has made an operation. */
  record(role: number, op: Op, instruction: Instruction, answer: number, isRetry: boolean): void {
    const [tested, phase] = [this.#tested, this.#phase];
    this.#tested = NO_TEST;
    const log = this.#logs[role];
    if (log === undefined) return;
    if (isRetry) log.retries.add(log.instructions.length);
    log.add(op, instruction, answer, tested, phase);
  }

  /** Every try was followed by its wait. */
  requireWaits(): void {
    if (this.#open.size > 0) failChoice();
  }
}

export function failChoice(): never {
  throw new CertificateFailure('choice', 'the result of a try decides more than one wait');
}
