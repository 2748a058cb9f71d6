// What an engine that runs a role for real offers it: operations that are performed at the call.
import type { Op } from '../op/index.ts';
import type { Work } from './work.ts';

/** An operation of one role, looked up once to be performed with every tile. */
export interface CompiledOp {
  /** Performs it, blocks where it waits, and answers it. */
  run: () => number;
}

/** Performs the operations of one role as they are called: nothing is posted or yielded. */
export interface Executor {
  /** Performs an operation once. */
  perform: (op: Op) => number;
  /** Looks an operation up that is performed again and again. */
  compile: (op: Op) => CompiledOp;
  /** Does the work of `compute`, an operation that takes time and has no other effect (S04). */
  work: (work: Work) => void;
}
