// The words that all threads of a search share, and how they wait for one another.

/** Word numbers of the control array. */
export const Control = {
  /** 1 while a thread writes the log of steps. */
  logLock: 0,
  logLength: 1,
  /** First free words of the arena and of the queue. */
  arenaEnd: 2,
  queueEnd: 3,
  /** The part of the queue that is being expanded, and the first of it that is not taken yet. */
  levelEnd: 4,
  next: 5,
  depth: 6,
  /** Threads that wait at the end of a level, and how many ends there were. */
  waiting: 7,
  generation: 8,
  /** Why the search must stop: an {@link Ending}. */
  ending: 9,
  /** The least depth of an error. */
  errorDepth: 10,
  mayCircle: 11,
  transitions: 12,
  /** 1 when no level follows; written between levels only, so that all threads read the same. */
  isOver: 13,
} as const;

export const CONTROL_WORDS = 16;
export const NO_ERROR = 0x7fffffff;

/** How a search ends. */
export const Ending = {
  none: 0,
  exhausted: 1,
  found: 2,
  /** From outside. */
  stopped: 3,
  maxStates: 4,
  /** The buffers are full: the search must restart with larger ones. */
  full: 5,
  /** The program showed a register or a value that the packing has no room for. */
  grown: 6,
  failed: 7,
} as const;
export type Ending = (typeof Ending)[keyof typeof Ending];

/**
 * Waits until all `members` are here; the last one to come runs `between` before they go on.
 */
export function meet(control: Int32Array, members: number, between: () => void): void {
  const generation = Atomics.load(control, Control.generation);
  if (Atomics.add(control, Control.waiting, 1) === members - 1) {
    between();
    Atomics.store(control, Control.waiting, 0);
    Atomics.add(control, Control.generation, 1);
    Atomics.notify(control, Control.generation);
    return;
  }
  while (Atomics.load(control, Control.generation) === generation) {
    Atomics.wait(control, Control.generation, generation);
  }
}

/** Ends the search from outside, also while its threads look for circles after it. */
export function stopSearch(control: Int32Array): void {
  endFor(control, Ending.stopped);
  Atomics.compareExchange(control, Control.ending, Ending.exhausted, Ending.stopped);
}

/** Ends the search for a reason, unless it is ending for another. */
export function endFor(control: Int32Array, reason: Ending): void {
  Atomics.compareExchange(control, Control.ending, Ending.none, reason);
}
