// When a warp has its turn, and which others it lets go before.

/** Where a warp is between the others that run. */
export class Turns {
  /** The number of its last turn. */
  last = 0;
  /** The turn since when it lets others go on; -1: it does not. */
  quietSince = -1;
  /** How often it has made an access of its whole block that failed, in the wait in which it is. */
  failed: { readonly word: number; readonly count: number } | null = null;
  /** Whether it waits for the other warps of its warpgroup, or has done so in vain. */
  team: 'held' | 'released' | null = null;
  #hasMoved = true;
  #isYielding = false;
  #isAround = false;
  #isEarly = false;
  #isBlind = false;

  /** Whether it moved in its last turn. */
  get hasMoved(): boolean {
    return this.#hasMoved;
  }

  /** Whether it lets the other warps of its block go on before it accesses a word. */
  get isYielding(): boolean {
    return this.#isYielding;
  }

  /** Whether it waits, with its block, in a round that all of its lanes take part in. */
  get isAround(): boolean {
    return this.#isAround;
  }

  /** Whether it waits for a lock that is free, because others take it before in this run. */
  get isEarly(): boolean {
    return this.#isEarly;
  }

  /** Whether it has passed a wait that never ends, and no barrier of threads since. */
  get isBlind(): boolean {
    return this.#isBlind;
  }

  /** A turn begins. */
  begin(turn: number): void {
    this.#isYielding = false;
    this.#isAround = false;
    this.last = turn;
  }

  /** The turn ends. */
  end(hasMoved: boolean): void {
    this.#hasMoved = hasMoved;
  }

  /** The others of its block go first, unless they have nothing to do. */
  yieldUnless(areQuiet: boolean): void {
    this.#isYielding = !areQuiet;
  }

  /** It waits in a round of its block. */
  goAround(): void {
    this.#isAround = true;
  }

  /** It comes to a lock or a word in its order, or before. */
  come(isEarly: boolean): void {
    this.#isEarly = isEarly;
  }

  /** It passes a wait that never ends. */
  passBlindly(): void {
    this.#isBlind = true;
  }

  /** It passes a barrier of threads: what others have done is known again. */
  meet(): void {
    this.#isBlind = false;
  }
}
