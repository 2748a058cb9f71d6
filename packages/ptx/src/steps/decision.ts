// What unknown data decides: the questions of a run and the answers that it is built on.

/** A question that unknown data answers: whether a predicate is true. */
export interface Question {
  /** The instruction that the predicate guards. */
  readonly at: number;
  /** How many other predicates it has asked for before. */
  readonly count: number;
  /** The answer with which its loop goes on; `null` where it is no branch of a loop. */
  readonly goesOn: boolean | null;
}

/** Answers questions that were not asked before. */
export type Answers = (question: Question) => boolean;

/** An answer that a run is built on. */
export interface Decision extends Question {
  readonly isTrue: boolean;
}
