// Loads that a warp repeats until other blocks have written a value: for each value that the words
// may hold it is tried whether the warp goes on with it.
import { WORD } from '../grid/words.ts';
import type { GlobalWords, WordHistory } from '../grid/words.ts';
import { readsOf } from '../flow/liveness.ts';
import type { PollStep } from '../steps/step.ts';
import { copyOf, ghostOf, MAX_GHOSTS, returnsTo } from './ghosts.ts';
import { deliverWords, kindOfData, placeOf, rangesOf, record, valueOf } from './global-lanes.ts';
import { wordsOf } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { atomicOrder } from './order.ts';
import type { WarpState } from './peek.ts';
import { Status } from './program.ts';

type Values = ReadonlyMap<number, number>;

/** A load that may be repeated until the words hold other values; they are known. */
export function poll(access: GlobalAccess): Status {
  const { warp, words, instruction } = access;
  const { machine } = warp;
  const polled = [...wordsOf(access).keys()];
  const actual: Values = new Map(polled.map((word) => [word, valueOf(words, word)]));
  const ghosts = warp.ghosts.all;
  if (!comeAlong(access, ghosts)) machine.decided(warp);
  const states = [null, ...ghosts];
  const waits = states.map((state) => isRepeated(access, state, actual));
  if (waits.includes(!waits[0])) machine.decided(warp);
  if (waits[0] === true) {
    if (warp.isUncertain)
      machine.undecided(instruction.index, 'unknown data decides whether it polls');
    warp.blockedOn = { ...stepOf(access, polled[0]!), phase: null, before: [], after: [] };
    return Status.blocked;
  }
  const more = polled.flatMap((word) => tryValues(access, word, states, actual));
  for (const ghost of ghosts) {
    deliverWords(access, ghost.registers, actual);
    ghost.stack.counter++;
  }
  deliverWords(access, warp.registers, actual);
  if (ghosts.length + more.length > MAX_GHOSTS) machine.decided(warp);
  warp.ghosts.set([...ghosts, ...more]);
  if (polled.every((word) => machine.plans.words.get(word)?.isPolled !== true))
    record(access, kindOfData(access), access.mask, {
      reads: rangesOf(access),
      writes: [],
      values: [],
    });
  return Status.done;
}

/** Whether the warp, or a ghost that is at the load, comes back to it with some values. */
function isRepeated(access: GlobalAccess, state: WarpState | null, values: Values): boolean {
  const { warp, instruction, addresses } = access;
  const next = state === null ? ghostOf(warp, () => {}) : behind(state);
  deliverWords(access, next.registers, values);
  return returnsTo(warp, next, instruction.index, addresses);
}

/** Tries all values that a word may hold; ghosts of the warp with those that it goes on with. */
function tryValues(
  access: GlobalAccess,
  word: number,
  states: readonly (WarpState | null)[],
  actual: Values,
): WarpState[] {
  const { warp, words, form } = access;
  const { machine } = warp;
  const history = words.history(word);
  const passes = new Map<number, boolean>();
  const ghosts: WarpState[] = [];
  for (const candidate of candidatesOf(machine.plans.words.get(word)?.values, history)) {
    const values = new Map(actual).set(word, candidate);
    const repeated = states.map((state) => isRepeated(access, state, values));
    if (repeated.includes(!repeated[0])) machine.decided(warp);
    passes.set(candidate, !repeated[0]);
    if (repeated[0] === true || candidate === actual.get(word)) continue;
    if (!machine.isPlanned || !warp.mayHaunt) continue;
    ghosts.push(ghostOf(warp, (registers) => deliverWords(access, registers, values)));
  }
  if (form.kind === 'plain' && passes.size < 2) return [];
  observe(access, words, history, passes);
  return ghosts;
}

/** Notes that a warp went on with a word, which is a wait if there are values that it polls on. */
function observe(
  access: GlobalAccess,
  words: GlobalWords,
  { address: word, writes, polls }: WordHistory,
  passes: ReadonlyMap<number, boolean>,
): void {
  const { warp, instruction, form } = access;
  const { number, cta, machine } = warp;
  const { index } = instruction;
  const key = words.key(word, number, index);
  const isOfSystem = instruction.parts.includes('sys');
  const by = { warp: number, cta: cta.rank, at: index, isOfSystem };
  polls.push({ key, ...by, after: writes.length, passes });
  const plan = machine.plans.words.get(word);
  if (plan?.isPolled !== true) return;
  // Whether it races is asked of the first try, before the wait.
  const mask = wordsOf(access).get(word)!;
  const reads = [placeOf(warp, word), placeOf(warp, word) + WORD];
  record(access, form.kind, mask, { reads, writes: [], values: [] });
  const wait = plan.waits.get(key);
  if (wait !== undefined && wait.phase !== null)
    warp.record({ ...stepOf(access, word), ...wait }, mask);
}

/** What all steps of a poll have. */
function stepOf(
  { warp, instruction: { index, parts } }: GlobalAccess,
  word: number,
): Omit<PollStep, 'phase' | 'before' | 'after'> {
  return { op: 'poll', at: index, word: placeOf(warp, word), ...atomicOrder(parts) };
}

/** The values that a poll is tried with. */
function candidatesOf(planned: readonly number[] | undefined, history: WordHistory): Set<number> {
  return new Set(planned ?? [history.initial, ...history.writes.map(({ value: held }) => held!)]);
}

/** Ghosts come to the same load of the same words. */
function comeAlong(
  { warp, instruction, mask }: GlobalAccess,
  ghosts: readonly WarpState[],
): boolean {
  const { stack, registers } = warp;
  return ghosts.every((ghost) => {
    warp.shadow.run(ghost);
    if (!ghost.stack.equals(stack)) return false;
    const reads = readsOf(instruction);
    return reads.every((register) => ghost.registers.isEqualIn(register, registers, mask));
  });
}

/** A copy of a ghost behind the load at which it stands. */
function behind(ghost: WarpState): WarpState {
  const copy = copyOf(ghost);
  copy.stack.counter++;
  return copy;
}
