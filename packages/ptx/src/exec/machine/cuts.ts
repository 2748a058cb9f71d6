// Cuts of a run: all warps have come to one question, so that the run is in one state.
import type { Subject } from '../../steps/decision.ts';
import type { Warp } from '../warp/warp.ts';
import type { Machine } from './machine.ts';

/** A question that a warp comes to, and waits there for the others. */
export class Question extends Error {
  /** The instruction. */
  readonly at: number;
  /** The term of its predicate. */
  readonly low: number;
  readonly high: number;
  readonly subject: Subject;

  constructor(at: number, subject: Subject, low: number, high: number) {
    super('a question');
    this.at = at;
    this.subject = subject;
    this.low = low;
    this.high = high;
  }
}

/** A run that has no state to cut it at. */
export class NoCut extends Error {}

/** Answers questions of all warps. */
export interface Cuts {
  /**
   * All warps that have not ended are at questions: answers them.
   *
   * @throws NoCut where they are not at one question.
   */
  cut(machine: Machine, warps: readonly Warp[], questions: ReadonlyMap<Warp, Question>): void;
}
