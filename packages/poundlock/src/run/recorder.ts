// Records the operations of a role with results and times, in memory that survives its thread.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { InstructionKind } from '@poundlock/core/internal/op';
import { Global, RECORD_WORDS, type Plan } from './plan.ts';

/** One operation of a trace. It took effect between two counts of the shared clock. */
export interface TraceRecord {
  readonly kind: InstructionKind;
  /** Physical. */
  readonly target: number;
  readonly answer: number;
  readonly begin: number;
  readonly end: number;
}

const KIND_BITS = 6;

/** Writes the trace of one role, until it is full. */
export class TraceRecorder {
  /** Whether there is room for more records. */
  isOn: boolean;
  readonly #words: Int32Array;
  readonly #count: number;
  readonly #first: number;
  readonly #limit: number;
  #written = 0;

  constructor(plan: Plan, words: Int32Array, role: number) {
    this.#words = words;
    this.#count = plan.trace(role);
    this.#first = plan.records(role);
    this.#limit = plan.recordLimit;
    this.isOn = this.#limit > 0;
  }

  /** The current clock: an operation that begins now takes effect later. */
  begin(): number {
    return this.isOn ? Atomics.load(this.#words, Global.clock) : 0;
  }

  /** Writes an operation that has taken effect, and returns its result. */
  record({ kind, target }: Instruction, answer: number, begin: number): number {
    if (!this.isOn) return answer;
    const words = this.#words;
    const at = this.#first + this.#written * RECORD_WORDS;
    words[at] = kind | (target << KIND_BITS);
    words[at + 1] = answer;
    words[at + 2] = begin;
    words[at + 3] = Atomics.add(words, Global.clock, 1) + 1;
    Atomics.store(words, this.#count, ++this.#written);
    this.isOn = this.#written < this.#limit;
    return answer;
  }
}

/** Reads the trace of a role. */
export function readTrace(plan: Plan, words: Int32Array, role: number): TraceRecord[] {
  const count = Atomics.load(words, plan.trace(role));
  return Array.from({ length: count }, (_, index) => {
    const at = plan.records(role) + index * RECORD_WORDS;
    const what = words[at]!;
    return {
      kind: (what & ((1 << KIND_BITS) - 1)) as InstructionKind,
      target: what >> KIND_BITS,
      answer: words[at + 1]!,
      begin: words[at + 2]!,
      end: words[at + 3]!,
    };
  });
}
