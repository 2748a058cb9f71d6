// Numbers that blocks draw from a word of global memory: each gets one, and which of them is the
// last to draw may decide what it does. In each run another one is.
import { Misunderstood } from './misunderstood.ts';
import type { WordPlan } from './word-plan.ts';
import type { GlobalWords, WordHistory } from './words.ts';

/** The draw that is the last one of a run. */
export interface LastDraw {
  readonly address: number;
  readonly key: string;
  /** How many draws there are. */
  readonly draws: number;
}

/** The draws of a run whose answers may decide. */
export interface Draws {
  readonly address: number;
  /** Any of them may be the last one. */
  readonly keys: readonly string[];
}

/** By word: its draw that is the last one of a run. */
export type LastDraws = ReadonlyMap<number, LastDraw>;

/** Draws from words, in a run that takes them in some order; none where they are none. */
export function drawsIn({ histories, looked }: GlobalWords): readonly Draws[] {
  const found: Draws[] = [];
  for (const { address, writes, polls, answers, attempts } of histories.values()) {
    const answered = new Set(answers.map(({ key }) => key));
    if (answered.size === 0) continue;
    const end = writes.findIndex(({ key }) => !answered.has(key));
    const draws = end < 0 ? writes : writes.slice(0, end);
    const isFirst = draws.length === answered.size && draws.length > 1 && polls.length === 0;
    // A warp that draws again cannot draw last before that.
    const areApart = new Set(draws.map(({ warp }) => warp)).size === draws.length;
    if (!isFirst || !areApart || attempts.length > 0 || looked.has(address)) return [];
    found.push({ address, keys: draws.map(({ key }) => key) });
  }
  return found;
}

/** In how many ways each word has another draw as its last. */
export function countOfLast(draws: readonly Draws[]): number {
  return draws.reduce((count, { keys }) => count * keys.length, 1);
}

/** One of these ways. */
export function lastOf(draws: readonly Draws[], way: number): LastDraws {
  let rest = way;
  return new Map(
    draws.map(({ address, keys }) => {
      const key = keys[rest % keys.length]!;
      rest = Math.floor(rest / keys.length);
      return [address, { address, key, draws: keys.length }];
    }),
  );
}

/**
 * The plan of a word that is drawn from: draws are arrivals, and the last one knows all others.
 * What is written after it is no part of the count.
 */
export function planDraws(history: WordHistory, { key, draws }: LastDraw): WordPlan {
  const { address, initial, writes, polls, answers } = history;
  const at = answers[0]?.at ?? 0;
  const [first] = writes;
  const drawn = writes.slice(0, draws);
  const last = drawn.at(-1);
  const isUniform = drawn.every(({ effect, value }) => effect === first!.effect && value !== null);
  if (polls.length > 0)
    throw new Misunderstood(at, 'one of the blocks cannot be the last to draw from this word');
  if (Number.isNaN(initial))
    throw new Misunderstood(at, 'the launch does not say what the word holds at first');
  if (last?.key !== key || !isUniform || new Set(drawn.map(({ warp }) => warp)).size < draws)
    throw new Misunderstood(at, 'the order of the blocks decides what they draw from this word');
  const others = writes.slice(draws).find(({ cta }) => cta !== last.cta);
  if (others !== undefined)
    throw new Misunderstood(others.at, 'blocks that were not the last to draw write the word');
  const values = [initial, ...drawn.map(({ value }) => value!)];
  const early = [...new Set(values.slice(0, draws - 1))];
  return {
    address,
    bytes: history.bytes,
    initial,
    isPolled: true,
    arrivals: draws,
    isExact: true,
    draws,
    values,
    waits: new Map(),
    guards: new Map(),
    answers: new Map(drawn.map((each) => [each.key, each === last ? [values[draws - 1]!] : early])),
  };
}

/** The last draw of a word from which each warp draws once, and alike; what comes after is its. */
function lastTurn(
  writes: WordHistory['writes'],
  drawn: WordHistory['writes'],
): Pick<WordPlan, 'last'> {
  const [first] = drawn;
  const last = drawn.at(-1);
  if (last === undefined || drawn.length < 2) return {};
  const areFirst = drawn.every((draw, index) => draw === writes[index]);
  const areAlike = drawn.every(({ effect }) => effect === first!.effect);
  const areApart = new Set(drawn.map(({ warp }) => warp)).size === drawn.length;
  const areItsOwn = writes.slice(drawn.length).every(({ cta }) => cta === last.cta);
  return areFirst && areAlike && areApart && areItsOwn ? { last: last.key } : {};
}

/**
 * The plan of a word from which warps draw in turn: each draw waits for what was written before it,
 * which is the order of this run. Others that write the word in between need not wait: that they
 * come in this order has to follow from what the blocks do.
 */
export function planTurns(history: WordHistory): WordPlan {
  const { address, bytes, initial, writes, polls, answers } = history;
  const at = answers[0]?.at ?? 0;
  const answered = new Set(answers.map(({ key }) => key));
  if (polls.length > 0) throw new Misunderstood(at, 'blocks poll a word that others draw from');
  if (Number.isNaN(initial))
    throw new Misunderstood(at, 'the launch does not say what the word holds at first');
  const drawn = writes.filter(({ key }) => answered.has(key));
  // The lanes of one access come in any order, whichever this run takes.
  const areAlone = writes.every(({ lanes }) => (lanes & (lanes - 1)) === 0);
  if (drawn.length < answered.size || writes.some(({ value }) => value === null) || !areAlone)
    throw new Misunderstood(at, 'the order of the blocks decides what they draw from this word');
  const values = [initial, ...writes.map(({ value }) => value!)];
  return {
    address,
    bytes,
    initial,
    isPolled: true,
    arrivals: 1,
    isExact: drawn.length === writes.length,
    draws: writes.length,
    ...lastTurn(writes, drawn),
    values,
    waits: new Map(),
    guards: new Map(),
    answers: new Map(
      writes.flatMap(({ key }, index) => (answered.has(key) ? [[key, [values[index]!]]] : [])),
    ),
  };
}
