// The SIMT stack of a warp: groups of lanes that went different ways, and where they meet again.

/** The most groups of lanes at one time: a deeper nesting is a kernel without meeting points. */
const MAX_DEPTH = 4096;

/** Groups of lanes; the topmost one is executed until it reaches its meeting point. */
export class SimtStack {
  depth = 0;
  #counters = new Int32Array(16);
  #masks = new Int32Array(16);
  #meetings = new Int32Array(16);

  constructor(lanes: number) {
    this.push(0, lanes, -1);
  }

  /** The instruction that the topmost group executes next. */
  get counter(): number {
    return this.#counters[this.depth - 1]!;
  }

  set counter(value: number) {
    this.#counters[this.depth - 1] = value;
  }

  /** The lanes of the topmost group. */
  get mask(): number {
    return this.#masks[this.depth - 1]!;
  }

  /** The lanes of all groups: those that have not ended. */
  get live(): number {
    let lanes = 0;
    for (let index = 0; index < this.depth; index++) lanes |= this.#masks[index]!;
    return lanes;
  }

  push(counter: number, mask: number, meeting: number): void {
    if (this.depth >= MAX_DEPTH) throw new RangeError(`more than ${MAX_DEPTH} groups of lanes`);
    if (this.depth === this.#counters.length) this.#grow();
    this.#counters[this.depth] = counter;
    this.#masks[this.depth] = mask;
    this.#meetings[this.depth] = meeting;
    this.depth++;
  }

  /** The topmost group parts into two until they meet: the second one goes first. */
  part(
    meeting: number,
    first: readonly [counter: number, mask: number],
    second: readonly [counter: number, mask: number],
  ): void {
    this.counter = meeting;
    for (const [counter, mask] of [first, second]) this.push(counter, mask, meeting);
  }

  /** Removes groups that are empty or have met the group below. */
  settle(): void {
    while (this.depth > 0) {
      const top = this.depth - 1;
      if (this.#masks[top] !== 0 && this.#counters[top] !== this.#meetings[top]) return;
      this.depth--;
    }
  }

  /** Ends lanes: no group has them any more. */
  leave(mask: number): void {
    for (let index = 0; index < this.depth; index++) this.#masks[index]! &= ~mask;
    this.settle();
  }

  /** The groups with some of their lanes alone. */
  only(mask: number): SimtStack {
    const part = this.copy();
    part.leave(~mask);
    return part;
  }

  /** The groups, as a text. */
  get text(): string {
    const { depth } = this;
    const parts = [this.#counters, this.#masks, this.#meetings];
    return parts.map((part) => part.subarray(0, depth).join()).join('/');
  }

  /** Where the groups of lanes are. */
  counters(): Int32Array {
    return this.#counters.subarray(0, this.depth);
  }

  /** Where each lane is: counters with the lanes that no group above has. */
  groups(): [counter: number, lanes: number][] {
    const all: [number, number][] = [];
    let above = 0;
    for (let index = this.depth - 1; index >= 0; index--) {
      const lanes = this.#masks[index]! & ~above;
      above |= lanes;
      if (lanes !== 0) all.push([this.#counters[index]!, lanes]);
    }
    return all;
  }

  /** Whether the groups of another stack are the same. */
  equals(other: SimtStack): boolean {
    if (this.depth !== other.depth) return false;
    for (let index = 0; index < this.depth; index++)
      if (
        this.#counters[index] !== other.#counters[index] ||
        this.#masks[index] !== other.#masks[index] ||
        this.#meetings[index] !== other.#meetings[index]
      )
        return false;
    return true;
  }

  /** Whether other lanes are at the instruction where these are, by whichever way. */
  isBeside(other: SimtStack): boolean {
    if (this.depth === 0 || other.depth === 0 || this.counter !== other.counter) return false;
    if (this.mask === this.live && other.mask === other.live) return true;
    if (this.depth !== other.depth) return false;
    for (let index = 0; index < this.depth; index++)
      if (!this.#isSameGroup(other, index)) return false;
    return true;
  }

  /**
   * The groups with the lanes of those beside them. Where groups below differ, their lanes are all
   * in the topmost one: they have met before their meeting point, and go on together.
   */
  with(other: SimtStack): SimtStack {
    const both = new SimtStack(0);
    both.depth = 0; // without the group of no lanes
    const depth = Math.min(this.depth, other.depth) - 1;
    for (let index = 0; index < depth; index++) {
      if (!this.#isSameGroup(other, index)) break;
      const mask = this.#masks[index]! | other.#masks[index]!;
      both.push(this.#counters[index]!, mask, this.#meetings[index]!);
    }
    const meeting = both.depth === 0 ? -1 : both.counter;
    both.push(this.counter, this.mask | other.mask, meeting);
    return both;
  }

  #isSameGroup(other: SimtStack, index: number): boolean {
    const isAtOne = this.#counters[index] === other.#counters[index];
    return isAtOne && this.#meetings[index] === other.#meetings[index];
  }

  /** A copy, to return to later. */
  copy(): SimtStack {
    const copy = new SimtStack(0);
    copy.set(this);
    return copy;
  }

  /** Takes the groups of another stack. */
  set(other: SimtStack): void {
    this.depth = other.depth;
    this.#counters = other.#counters.slice();
    this.#masks = other.#masks.slice();
    this.#meetings = other.#meetings.slice();
  }

  #grow(): void {
    const larger = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const next = new Int32Array(old.length * 2);
      next.set(old);
      return next;
    };
    this.#counters = larger(this.#counters);
    this.#masks = larger(this.#masks);
    this.#meetings = larger(this.#meetings);
  }
}
