// How a thread waits: how often it looks again before it sleeps.

/**
 * How a thread waits: `spin` polls, `wait` sleeps, and `auto` polls for a while where that pays.
 */
export type PolicyName = 'auto' | 'spin' | 'wait';

/** What a policy knows of where it runs. */
export interface Place {
  /** Threads that may wait at one time, over all rings. */
  readonly threads: number;
  /** Processors that this process may use. */
  readonly cpus: number;
  /** Whether the thread that waits passes on what it gets: it waits for both of its peers. */
  readonly isRelay: boolean;
}

/** The looks that a wait may take before it sleeps: 0 sleeps at once. */
export type Policy = (place: Place) => number;
