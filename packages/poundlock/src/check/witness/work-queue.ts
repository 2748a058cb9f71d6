// One role's work on one unit: what a commit or a wait for groups learns when it is done.
import { joined, NOTHING, type Clock, type EventLog } from './log.ts';

export class WorkQueue {
  readonly #log: EventLog;
  /** For an in-order unit the thread of all its work, else −1. */
  readonly thread: number;
  /** By work in the order of issue: the event that completed it, −1 while it is under way. */
  readonly #completions: number[] = [];
  /** By work: what it and all work before it know, as far as all of that has completed. */
  readonly #known: Clock[] = [];
  /** By closed group: how much work was issued before it closed. */
  readonly #groups: number[] = [];

  constructor(log: EventLog, isInOrder: boolean) {
    this.#log = log;
    this.thread = isInOrder ? log.addThread() : -1;
  }

  /** The number of the work that is issued next. */
  get issued(): number {
    return this.#completions.length;
  }

  issue(): number {
    return this.#completions.push(-1) - 1;
  }

  complete(work: number, event: number): void {
    this.#completions[work] = event;
  }

  closeGroup(): void {
    this.#groups.push(this.issued);
  }

  /** What the first `count` pieces of work know. */
  workBefore(count: number): Clock {
    while (this.#known.length < count) {
      const completed = this.#completions[this.#known.length]!;
      if (completed < 0) break;
      const clock = this.#log.clocks[completed]!;
      // Work of an in-order unit is one thread: each knows all before it.
      this.#known.push(this.thread < 0 ? joined(this.#known.at(-1) ?? NOTHING, clock) : clock);
    }
    return this.#known[Math.min(count, this.#known.length) - 1] ?? NOTHING;
  }

  /** What all groups but the newest `open` know. */
  groupsBefore(open: number): Clock {
    const done = this.#groups.length - open;
    return done <= 0 ? NOTHING : this.workBefore(this.#groups[done - 1]!);
  }
}
