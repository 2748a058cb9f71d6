// Which of its values a poll finds, where what the warp does follows from it: each has a run.
import type { WordHistory, WordPoll } from '../grid/words.ts';
import type { Values } from './alone.ts';
import type { GlobalAccess } from './global-lanes.ts';
import type { WarpState } from './peek.ts';

/** A word of a poll, and with which values the warp goes on. */
export interface Tried {
  readonly history: WordHistory;
  readonly passes: ReadonlyMap<number, boolean>;
  /** The warp with each other value that it goes on with, where nothing is chosen. */
  readonly ghosts: readonly WarpState[];
  /** Whether it may find several values. */
  readonly isPoll: boolean;
}

/** What a word has held, in its order. */
function heldIn({ initial, writes }: WordHistory): (number | null)[] {
  return [initial, ...writes.map(({ value }) => value)];
}

/** After how many writes a warp has written a word, or found it, at last. */
function seenBy({ writes, polls }: WordHistory, warp: number): number {
  const written = writes.findLastIndex((write) => write.warp === warp) + 1;
  const found = polls.findLast((poll) => poll.warp === warp)?.after ?? 0;
  return Math.max(written, found);
}

/**
 * The values that a poll finds in this run; `null` while one of them is not written. What the words
 * hold may be later values.
 */
export function choose(
  { warp, words, instruction }: GlobalAccess,
  actual: Values,
  tried: readonly Tried[],
): Values | null {
  const choices = warp.machine.choices!;
  const found = new Map(actual);
  const keys = new Map<number, string>();
  for (const { history, passes } of tried) {
    const { address } = history;
    const key = words.nextKey(address, warp.number, instruction.index);
    keys.set(address, key);
    const wanted = choices.seen(warp.number, key);
    // In other orders the warp may not go on with it.
    const isPossible = wanted !== undefined && passes.get(wanted) !== false;
    const value = isPossible ? wanted : actual.get(address)!;
    found.set(address, value);
    const held = heldIn(history);
    // Where a value comes again it does not say which writes it was found after.
    const isAgain = new Set(held).size < held.length;
    if (isAgain && [...passes.values()].filter((isPassing) => isPassing).length > 1)
      warp.machine.decided(warp);
    warp.turns.come(!held.includes(value));
    if (warp.turns.isEarly) return null;
  }
  for (const { history, passes } of tried) {
    const { address } = history;
    const value = found.get(address)!;
    if (value !== actual.get(address)) choices.older ??= instruction.index;
    const old = new Set(heldIn(history).slice(0, seenBy(history, warp.number)));
    const others = [...passes].flatMap(([other, isPassing]) =>
      isPassing && other !== value && !old.has(other) ? [other] : [],
    );
    if (others.length > 0) choices.words.add(address);
    const { number } = warp;
    choices.log.push({
      kind: 'poll',
      warp: number,
      address,
      key: keys.get(address)!,
      value,
      passes,
    });
    choices.find({ kind: 'seen', address, key: keys.get(address)!, value, others });
  }
  return found;
}

/** After how many writes a poll went on, and with which values: not with those before the found. */
export function chosenOf(
  { history, passes }: Tried,
  found: Values,
): Pick<WordPoll, 'passes' | 'after' | 'isChosen'> {
  const held = heldIn(history);
  const value = found.get(history.address)!;
  const before = new Set(held.slice(0, held.indexOf(value)));
  const isOne = [...passes.values()].filter((isPassing) => isPassing).length < 2;
  if (isOne) return { passes, after: history.writes.length };
  const isAfter = ([each, isPassing]: readonly [number, boolean]): readonly [number, boolean] => [
    each,
    isPassing && !before.has(each),
  ];
  return {
    passes: new Map([...passes].map(isAfter)),
    after: held.indexOf(value),
    isChosen: true,
  };
}
