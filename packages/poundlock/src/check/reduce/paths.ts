// Paths of roles in a lookahead: where each role can be, with registers of its own.

/** The most paths that are followed at one time (bound `lookahead`). */
const CAPACITY = 1024;
const SLOTS = CAPACITY * 4;

/** What a path waits for. */
export const PathProgress = { goes: 0, stays: 1, over: 2 } as const;
export type PathProgress = (typeof PathProgress)[keyof typeof PathProgress];

/**
 * A pool of paths: the step that a role has reached, its registers and counts, and the last integer
 * that it took from a shared cell. Equal paths are one.
 */
export class Paths {
  readonly steps = new Int32Array(CAPACITY);
  readonly roles = new Int32Array(CAPACITY);
  readonly progress = new Uint8Array(CAPACITY);
  /** The cell and the integer; −1 before the first. */
  readonly cells = new Int32Array(CAPACITY);
  readonly tickets = new Int32Array(CAPACITY);
  /** How many answers of its step a way has gone on with. */
  readonly branched = new Int32Array(CAPACITY);
  /** Whether the wait at its step is listed. */
  readonly isListed = new Uint8Array(CAPACITY);
  /** By way, `width` words each. */
  readonly locals: Int32Array;
  /** Where each way began, and with what. */
  readonly #origins = new Int32Array(CAPACITY);
  readonly #first: Int32Array;
  readonly #width: number;
  readonly #slots = new Int32Array(SLOTS);
  readonly #used: number[] = [];
  /** By way: the one that it goes on from, and the latest join of others to it; −1 for none. */
  readonly #parents = new Int32Array(CAPACITY);
  readonly #latestJoins = new Int32Array(CAPACITY);
  /** By join: the way that joined, and the join to the same way before. */
  readonly #joined: number[] = [];
  readonly #joinsBefore: number[] = [];
  /** By way: the last look for a circle that came by. */
  readonly #seen = new Int32Array(CAPACITY);
  #looks = 0;
  length = 0;

  /** `width`: words that belong to a role alone. */
  constructor(width: number) {
    this.#width = width;
    this.locals = new Int32Array(CAPACITY * width);
    this.#first = new Int32Array(CAPACITY * width);
  }

  clear(): void {
    for (const slot of this.#used) this.#slots[slot] = 0;
    this.#used.length = 0;
    this.#joined.length = 0;
    this.#joinsBefore.length = 0;
    this.length = 0;
  }

  get isFull(): boolean {
    return this.length === CAPACITY;
  }

  /** Adds a way that begins with `locals`; the way that has begun there with the same, or −1. */
  add(role: number, step: number, cell: number, ticket: number, locals: Int32Array): number {
    let hash = Math.imul(step ^ (ticket << 12) ^ (cell << 24), 0x9e3779b1);
    for (let i = 0; i < this.#width; i++) hash = Math.imul(hash ^ locals[i]!, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let id = this.#slots[slot]!; id !== 0; id = this.#slots[slot]!) {
      if (this.#began(id - 1, step, cell, ticket, locals)) return id - 1;
      slot = (slot + 1) & (SLOTS - 1);
    }
    const at = this.length++;
    this.#slots[slot] = at + 1;
    this.#used.push(slot);
    this.roles[at] = role;
    this.steps[at] = step;
    this.#origins[at] = step;
    this.cells[at] = cell;
    this.tickets[at] = ticket;
    this.progress[at] = PathProgress.goes;
    this.branched[at] = 0;
    this.isListed[at] = 0;
    this.#parents[at] = -1;
    this.#latestJoins[at] = -1;
    const first = at * this.#width;
    for (let i = 0; i < this.#width; i++) {
      this.locals[first + i] = locals[i]!;
      this.#first[first + i] = locals[i]!;
    }
    return -1;
  }

  /** The way that was added last goes on from `from`. */
  continues(from: number): void {
    this.#parents[this.length - 1] = from;
  }

  /** The way `from` goes on as `to` has gone; whether that closes a circle. */
  joins(from: number, to: number): boolean {
    this.#joinsBefore.push(this.#latestJoins[to]!);
    this.#latestJoins[to] = this.#joined.push(from) - 1;
    this.#looks++;
    const before: number[] = [];
    this.#see(from, before);
    for (const way of before) {
      if (way === to) return true;
      this.#see(this.#parents[way]!, before);
      let join = this.#latestJoins[way]!;
      for (; join >= 0; join = this.#joinsBefore[join]!) this.#see(this.#joined[join]!, before);
    }
    return false;
  }

  #see(way: number, list: number[]): void {
    if (way < 0 || this.#seen[way] === this.#looks) return;
    this.#seen[way] = this.#looks;
    list.push(way);
  }

  /** A step belongs to one role. */
  #began(at: number, step: number, cell: number, ticket: number, locals: Int32Array): boolean {
    if (this.#origins[at] !== step || this.cells[at] !== cell) return false;
    if (this.tickets[at] !== ticket) return false;
    const first = at * this.#width;
    for (let i = 0; i < this.#width; i++) if (this.#first[first + i] !== locals[i]) return false;
    return true;
  }
}
