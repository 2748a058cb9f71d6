// How a thread waits: the number of polls before it sleeps.

/**
 * How a thread waits: `spin` polls, `wait` sleeps, and `auto` polls for a while where that pays.
 */
export type PolicyName = 'auto' | 'spin' | 'wait';

/** The threads and CPUs that a policy decides by. */
export interface PolicyContext {
  /** Threads that may wait at one time, over all rings. */
  readonly threads: number;
  /** Processors that this process may use. */
  readonly cpus: number;
  /** Whether the waiting thread both consumes and produces. */
  readonly isMiddleThread: boolean;
}

/** The polls that a wait may make before it sleeps: 0 sleeps at once. */
export type WaitPolicy = (context: PolicyContext) => number;
