// The executor interface: performs the operations of one role at the call.
import type { Op } from '../op/index.ts';
import type { Work } from './work.ts';

/** An operation of one role that is compiled once and run with every tile. */
export interface CompiledOp {
  /** Performs it, blocks where it waits, and returns its answer. */
  run: () => number;
}

/** Performs the operations of one role as they are called: nothing is posted or yielded. */
export interface Executor {
  /** Performs an operation once. */
  perform: (op: Op) => number;
  /** Compiles an operation that is performed again and again. */
  compile: (op: Op) => CompiledOp;
  /** Does the work of `compute`, an operation that takes time and has no other effect (S04). */
  work: (work: Work) => void;
}
