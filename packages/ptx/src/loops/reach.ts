// Numbers that grow with the rounds of a loop, and for how many rounds what is said of them holds.

/**
 * How a value depends on the round `t` of a warp's loop and on the rounds `m` of the whole launch:
 * it is `v + t · (rounds from here) + m · (more rounds of the launch)` in whole numbers, cut to the
 * width of its register.
 */
export interface Slope {
  readonly t: number;
  readonly m: number;
}

/** A value of which nothing is known in other rounds. */
export const ANY = Symbol('any');

/** What is known of a value in other rounds: `null`, it is the same. */
export type Shade = Slope | typeof ANY | null;

/** Where a warp is in its list: before its loop, in a round that stands for all, or after it. */
export type Part = 'before' | 'round' | 'after';

/** Rounds of the launch that is looked at. */
export const ROUNDS = 2;
/** No proof is for fewer rounds. */
export const FEWEST = 2 ** 16;
/** The most rounds that are asked for. */
const MOST = 2 ** 31;
/** Beyond this, numbers are not exact. */
export const EXACT = 2 ** 52;

const known = new Map<number, Map<number, Slope>>();

/** The slope with two numbers, cut to a width; `null` where it does not change. */
export function slope(t: number, m: number, bits: number): Shade {
  if (!(Math.abs(t) < EXACT && Math.abs(m) < EXACT)) return ANY;
  const own = { t: cut(t, bits), m: cut(m, bits) };
  if (own.t === 0 && own.m === 0) return null;
  let byRound = known.get(own.t);
  if (byRound === undefined) known.set(own.t, (byRound = new Map()));
  let found = byRound.get(own.m);
  if (found === undefined) byRound.set(own.m, (found = own));
  return found;
}

/** The nearest number to 0 that is equal in the low bits. */
function cut(value: number, bits: number): number {
  if (bits >= 64) return value;
  const size = 2 ** bits;
  const rest = value - Math.round(value / size) * size;
  // No negative zero: slopes are compared.
  return rest + 0 === 0 ? 0 : rest;
}

/** For how many rounds of the launch all that is used of values holds. */
export class Reach {
  #most = MOST;
  readonly #least: number;

  /** What holds for fewer rounds than `least` counts as if nothing were known of it. */
  constructor(least: number) {
    this.#least = least;
  }

  /** Whether something would hold, for fewer rounds than are asked for. */
  isShort = false;

  /** The most rounds. */
  get most(): number {
    return this.#most;
  }

  /** Only so many rounds are possible. */
  limit(most: number): void {
    this.#most = Math.min(this.#most, most);
  }

  /**
   * Whether a value is within bounds in all rounds of all launches from one round on: for `t` from
   * 0 to below `m` in a round, where it is looked at in round 1 of 2. It is convex, so that the
   * corners decide. Where it is, up to many rounds, the rounds are limited to these.
   */
  within(value: number, shade: Slope | null, least: number, most: number, part: Part): boolean {
    if (!(value >= least && value <= most)) return false;
    if (shade === null) return true;
    const { t, m } = shade;
    if (!(Math.abs(value) < EXACT)) return false;
    const isRound = part === 'round';
    const one = value - m - (isRound ? t : 0);
    if (!(one >= least && one <= most)) return false;
    const rays: readonly (readonly [number, number])[] = isRound
      ? [
          [value - t, m],
          [value, t + m],
        ]
      : [[value, m]];
    let limit = MOST;
    for (const [start, growth] of rays) {
      if (!(start >= least && start <= most)) return false;
      if (growth === 0) continue;
      const room = growth > 0 ? (most - start) / growth : (start - least) / -growth;
      // One less: quotients are rounded.
      if (room < MOST) limit = Math.min(limit, Math.floor(room) - 1 + ROUNDS);
    }
    const isEnough = limit >= this.#least;
    if (isEnough) this.limit(limit);
    else this.isShort ||= limit >= FEWEST;
    return isEnough;
  }
}
