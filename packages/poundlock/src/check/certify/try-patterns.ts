// Which results of a role's tries are compared: all of them if they are few, else a sample.
import type { Pattern } from './rejoin.ts';

/** The most tries whose results are compared in every combination. */
const MAX_COMBINED = 12;

/** Patterns that a number of tries is compared with; `areAll`: there are no others. */
export interface Patterns {
  readonly list: readonly Pattern[];
  readonly areAll: boolean;
}

/** At most about `most` patterns for `tries` tries, without the one in which all fail. */
export function patternsOf(tries: number, most: number): Patterns {
  if (tries <= MAX_COMBINED && 2 ** tries - 1 <= most) {
    const all = Array.from({ length: 2 ** tries - 1 }, (_, index) => index + 1);
    return { list: all.map((bits) => (at) => ((bits >>> at) & 1) === 1), areAll: true };
  }
  const list: Pattern[] = [(at) => hash(0, at) % 2 === 0, () => true, (at) => at % 2 === 0];
  let [seed, round] = [1, 0];
  while (list.length < most) {
    // One success, one failure, two of each, in places that are spread, and random ones.
    const place = spread(round, tries);
    const other = spread(round * 7 + 3, tries);
    const random = seed;
    list.push(
      (at) => at !== place,
      (at) => at === place,
      (at) => hash(random, at) % 2 === 0,
      (at) => at !== place && at !== place + 1,
      (at) => at === place || at === other,
      (at) => at < place,
      (at) => at >= place,
      (at) => hash(random, at) % 8 === 0,
    );
    round++;
    seed++;
  }
  return { list: list.slice(0, Math.max(1, most)), areAll: false };
}

/** First and last, then places between them, each as far as possible from those before. */
function spread(round: number, tries: number): number {
  if (round === 0) return tries - 1;
  let [place, share] = [0, 1 / 2];
  for (let bits = round - 1; bits > 0; bits >>>= 1) {
    if ((bits & 1) === 1) place += share;
    share /= 2;
  }
  return Math.floor(place * tries);
}

function hash(seed: number, at: number): number {
  let mixed = Math.imul(seed ^ Math.imul(at + 1, 0x9e3779b1), 0x85ebca6b);
  mixed ^= mixed >>> 13;
  return Math.imul(mixed, 0xc2b2ae35) >>> 16;
}
