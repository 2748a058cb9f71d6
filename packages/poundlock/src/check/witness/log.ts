// The moves of one run with their vector clocks.

/** By thread: how many of its events come before. Shorter clocks know nothing of later threads. */
export type Clock = Int32Array;

export const NOTHING: Clock = new Int32Array(0);

/** The join of two clocks: the longer of them itself, if the other knows nothing more. */
export function joined(one: Clock, other: Clock): Clock {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  let both: Clock | null = null;
  for (let thread = 0; thread < short.length; thread++) {
    if (short[thread]! <= long[thread]!) continue;
    both ??= long.slice();
    both[thread] = short[thread]!;
  }
  return both ?? long;
}

/** Every move of a run, in order. Thread `r` is role `r`; the others are chains of flights. */
export class EventLog {
  /** By event: the agent that moved, and its option or the flight that completed. */
  readonly agents: number[] = [];
  readonly details: number[] = [];
  readonly threads: number[] = [];
  readonly clocks: Clock[] = [];
  readonly #roles: number;
  /** By event: the one before it on its thread, or −1. By thread: its last event, or −1. */
  readonly #previous: number[] = [];
  readonly #last: number[] = [];
  /** By thread: what comes before its first event. */
  readonly #starts: Clock[] = [];

  constructor(roles: number) {
    this.#roles = roles;
    for (let role = 0; role < roles; role++) this.addThread();
  }

  get size(): number {
    return this.agents.length;
  }

  get width(): number {
    return this.#last.length;
  }

  addThread(): number {
    this.#starts.push(NOTHING);
    return this.#last.push(-1) - 1;
  }

  /** What a thread knows after its last event. */
  known(thread: number): Clock {
    const last = this.#last[thread]!;
    return last < 0 ? this.#starts[thread]! : this.clocks[last]!;
  }

  /** The first event of a thread comes after all of `clock`. */
  startAt(thread: number, clock: Clock): void {
    this.#starts[thread] = clock;
  }

  /** Adds an event that knows what its thread knew, and all of `learned`. */
  add(thread: number, agent: number, detail: number, learned: Clock): number {
    const clock = new Int32Array(this.width);
    clock.set(this.known(thread));
    for (let at = 0; at < learned.length; at++) {
      if (learned[at]! > clock[at]!) clock[at] = learned[at]!;
    }
    clock[thread]!++;
    const event = this.clocks.push(clock) - 1;
    this.agents.push(agent);
    this.details.push(detail);
    this.threads.push(thread);
    this.#previous.push(this.#last[thread]!);
    this.#last[thread] = event;
    return event;
  }

  /** An event learns more after all, before anything follows it. */
  learn(event: number, learned: Clock): void {
    this.clocks[event] = joined(this.clocks[event]!, learned);
  }

  /** Whether `clock` knows an event. */
  knows(clock: Clock, event: number): boolean {
    const thread = this.threads[event]!;
    return (clock[thread] ?? 0) >= this.clocks[event]![thread]!;
  }

  /** What must have happened so that an event is next: for a flight, its issue. */
  before(event: number): Clock {
    const previous = this.#previous[event]!;
    const thread = this.threads[event]!;
    if (thread < this.#roles) return previous < 0 ? this.#starts[thread]! : this.clocks[previous]!;
    const clock = this.clocks[event]!.slice();
    clock[thread]!--;
    return clock;
  }
}
