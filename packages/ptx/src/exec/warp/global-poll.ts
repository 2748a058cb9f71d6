// Loads that a warp repeats until other blocks have written a value: for each value that the words
// may hold it is tried whether the warp goes on with it.
import { accessOf } from '../../isa/questions.ts';
import type { PlannedWait } from '../grid/word-plan.ts';
import { isStore } from '../grid/words.ts';
import type { WordHistory, WordPoll } from '../grid/words.ts';
import { isInBarrierLoop } from '../../flow/barrier-loops.ts';
import { readsOf } from '../../flow/liveness.ts';
import type { PollStep } from '../../steps/step.ts';
import { triesAgain } from './alone.ts';
import { forgetChanges } from './changed.ts';
import type { Values } from './alone.ts';
import { ghostOf, MAX_GHOSTS } from './ghosts.ts';
import { deliverWords, kindOfData, othersOf, placeOf, rangesOf, record } from './global-lanes.ts';
import { valueOf, wordsOf } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { acquireOrder } from './order.ts';
import type { WarpState } from './peek.ts';
import { choose, chosenOf } from './poll-choice.ts';
import type { Tried } from './poll-choice.ts';
import { Status } from './program.ts';
import { comesAround, isBlockQuiet, isGridQuiet } from './round.ts';
import type { Warp } from './warp.ts';

/** A load that may be repeated until the words hold other values; they are known. */
export function poll(access: GlobalAccess): Status {
  const { warp, words, instruction } = access;
  const { machine } = warp;
  const polled = [...wordsOf(access).keys()];
  const actual: Values = new Map(polled.map((word) => [word, valueOf(words, word)]));
  if (isOfBlock(access) && waitsForBlock(warp)) return Status.blocked;
  if (machine.order.arePollsLate === true) {
    warp.turns.yieldUnless(isGridQuiet(warp));
    if (warp.turns.isYielding) return Status.blocked;
  }
  const ghosts = warp.ghosts.all;
  if (!comeAlong(access, ghosts)) machine.decided(warp);
  const states = [null, ...ghosts];
  const all = allValues(access, polled, actual);
  const waits = states.map((state) => isRepeated(access, state, actual, all));
  if (waits.includes(!waits[0])) machine.decided(warp);
  if (failFirst(access, polled, all)) return Status.done;
  if (waits[0] === true) {
    if (warp.mode.isUncertain)
      machine.undecided(instruction.index, 'unknown data decides whether it polls');
    warp.wait.on = inVain(access, polled[0]!, actual, all);
    return Status.blocked;
  }
  const tried = polled.map((word) => tryValues(access, word, states, all));
  const waiting = tried.filter(({ isPoll }) => isPoll);
  const found = machine.choices === null ? actual : choose(access, actual, waiting);
  if (found === null) {
    warp.wait.on = inVain(access, polled[0]!, actual, all);
    return Status.blocked;
  }
  for (const each of waiting) {
    const { history, passes } = each;
    const after = history.writes.length;
    observe(access, history, machine.choices === null ? { passes, after } : chosenOf(each, found));
  }
  const more = waiting.flatMap((each) => each.ghosts);
  warp.turns.failed = null;
  for (const ghost of ghosts) {
    deliverWords(access, ghost.registers, found);
    ghost.stack.counter++;
  }
  deliverWords(access, warp.registers, found);
  if (ghosts.length + more.length > MAX_GHOSTS) machine.decided(warp);
  warp.ghosts.set([...ghosts, ...more]);
  const isWait = ({ isPoll, history }: Tried): boolean =>
    isPoll && machine.plans.words.get(history.address)?.isPolled === true;
  if (!tried.every(isWait))
    record(access, kindOfData(access), access.mask, {
      reads: rangesOf(access),
      writes: [],
      values: [],
    });
  return Status.done;
}

/**
 * Whether the warp, or a ghost that is at the access, makes it again with some values: alone, or
 * with its whole block. What tries change is unknown from then on. `all` are all values.
 */
export function isRepeated(
  access: GlobalAccess,
  state: WarpState | null,
  values: Values,
  all: readonly Values[],
): boolean {
  const { warp } = access;
  const changed = triesAgain(access, state ?? warp, values, all);
  if (changed !== null) {
    forgetChanges(warp, (state ?? warp).registers, changed);
    return true;
  }
  return state === null && isOfBlock(access) && comesAround(access, values, all);
}

/** The values that words may hold: one of them each, others what they hold. */
function allValues(access: GlobalAccess, polled: readonly number[], actual: Values): Values[] {
  const { warp, words } = access;
  const { plans } = warp.machine;
  return polled.flatMap((word) =>
    [...candidatesOf(plans.words.get(word)?.values, words.history(word))].map((value) =>
      new Map(actual).set(word, value),
    ),
  );
}

/** Whether the threads of a block may meet between an access and the next time it is made. */
export function isOfBlock({ warp, instruction, form }: GlobalAccess): boolean {
  // Plain loads past the cache find what others write.
  if (form.kind === 'plain' && accessOf(instruction)?.isUncached !== true) return false;
  return isInBarrierLoop(warp.program.code, instruction.index);
}

/** Whether a warp lets the others of its block go on first. */
export function waitsForBlock(warp: Warp): boolean {
  warp.turns.yieldUnless(isBlockQuiet(warp));
  return warp.turns.isYielding;
}

/** Whether a poll of the whole block is made once more with a value that it polls again on. */
function failFirst(
  access: GlobalAccess,
  polled: readonly number[],
  all: readonly Values[],
): boolean {
  const [word] = polled;
  if (polled.length > 1 || !mayFail(access, word!, '')) return false;
  const found = all.find((values) => isRepeated(access, null, values, all));
  if (found === undefined) return false;
  fail(access, word!, found.get(word!)!);
  return true;
}

/** Whether a wait of the whole block has to fail before it passes, as it may. */
export function mayFail(access: GlobalAccess, word: number, prefix: string): boolean {
  const { warp, words, instruction } = access;
  const { failing } = warp.machine.order;
  if (failing === undefined || !isOfBlock(access)) return false;
  if (warp.turns.failed?.word === word) return warp.turns.failed.count < failing.times;
  return failing.keys.has(prefix + words.nextKey(word, warp.number, instruction.index));
}

/** Makes an access of the whole block that fails with a value. */
export function fail(access: GlobalAccess, word: number, value: number): void {
  const { warp, form, mask } = access;
  const count = warp.turns.failed?.word === word ? warp.turns.failed.count : 0;
  warp.turns.failed = { word, count: count + 1 };
  const reads = bytesOf(access, word);
  record(access, form.kind, mask, { reads, writes: [], values: [] });
  deliverWords(access, warp.registers, new Map([[word, value]]));
}

/** Tries all values that a word may hold; ghosts of the warp with those that it goes on with. */
function tryValues(
  access: GlobalAccess,
  word: number,
  states: readonly (WarpState | null)[],
  all: readonly Values[],
): Tried {
  const { warp, words, form } = access;
  const { machine } = warp;
  const history = words.history(word);
  const passes = new Map<number, boolean>();
  const ghosts: WarpState[] = [];
  const open = new Map<number, Values>();
  const actual = valueOf(words, word);
  const isOfWord = (values: Values): boolean =>
    [...values].every(([other, held]) => other === word || held === valueOf(words, other));
  for (const values of all.filter(isOfWord)) {
    const candidate = values.get(word)!;
    const repeated = states.map((state) => isRepeated(access, state, values, all));
    if (repeated.includes(!repeated[0])) machine.decided(warp);
    passes.set(candidate, !repeated[0]);
    if (repeated[0] === true || candidate === actual || machine.choices !== null) continue;
    if (!machine.isPlanned || !warp.mayHaunt) continue;
    open.set(candidate, values);
  }
  for (const candidate of othersOf(access, actual, [...open.keys()])) {
    const values = open.get(candidate)!;
    ghosts.push(ghostOf(warp, (registers) => deliverWords(access, registers, values)));
  }
  // A plain load that goes on with each is no poll: it finds what the write before it left.
  const isPoll = form.kind !== 'plain' || [...passes.values()].includes(false);
  return { history, passes, ghosts, isPoll };
}

/** Notes that a warp went on with a word, which is a wait if there are values that it polls on. */
function observe(
  access: GlobalAccess,
  history: WordHistory,
  found: Pick<WordPoll, 'passes' | 'after' | 'isChosen'>,
): void {
  const { address: word } = history;
  const { warp, words, instruction, form } = access;
  const { number, cta, machine } = warp;
  const { index } = instruction;
  const key = words.key(word, number, index);
  const isOfSystem = accessOf(instruction)?.scope === 'sys';
  const isRelaxed = acquireOrder(form.access).sem === 'relaxed';
  const lanes = wordsOf(access).get(word)!;
  const by = { warp: number, cta: cta.rank, at: index, lanes, isOfSystem, isRelaxed };
  history.notePoll({ key, ...by, ...found });
  const plan = machine.plans.words.get(word);
  if (plan?.isPolled !== true) return;
  // Whether it races is asked of the first try, before the wait.
  const reads = bytesOf(access, word);
  record(access, form.kind, lanes, { reads, writes: [], values: [] });
  const wait = plan.waits.get(key);
  const { phase } = wait ?? { phase: null };
  if (phase === null) return;
  recordWait(access, history, { ...wait!, key, phase }, lanes);
}

/** Records a wait: atomic accesses carry on what those before them carried, from a store on. */
function recordWait(
  access: GlobalAccess,
  history: WordHistory,
  { key, ...wait }: PlannedWait & { readonly key: string; readonly phase: number },
  lanes: number,
): void {
  const { warp } = access;
  const { address, writes } = history;
  const { arrivals } = warp.machine.plans.words.get(address)!;
  const store = writes.slice(0, (wait.phase + 1) * arrivals).findLastIndex(isStore);
  const carried = Math.max(
    0,
    Math.floor(store / arrivals),
    knownPhases(access, history, key, lanes),
  );
  const isShort = warp.machine.choices !== null || wait.phase - carried <= MAX_CARRIED;
  const first = isShort ? Math.min(carried, wait.phase) : wait.phase;
  for (let phase = first; phase <= wait.phase; phase++) {
    const before = phase === first ? wait.before : [];
    const after = phase === wait.phase ? wait.after : [];
    warp.record({ ...stepOf(access, address), phase, before, after }, lanes);
  }
}

/** How many phases lanes of a warp know of by what they have waited for before, and acquired. */
function knownPhases(
  { warp }: GlobalAccess,
  history: WordHistory,
  key: string,
  lanes: number,
): number {
  if (warp.machine.choices !== null) return 0;
  const { waits } = warp.machine.plans.words.get(history.address)!;
  const before = history.polls.findLast((poll) => {
    if (poll.warp !== warp.number || poll.lanes !== lanes || poll.key === key) return false;
    return poll.isRelaxed !== true && (waits.get(poll.key)?.phase ?? null) !== null;
  });
  return before === undefined ? 0 : waits.get(before.key)!.phase! + 1;
}

/** Notes what is no poll, and may acquire what its threads have waited for, relaxed. */
export function look(access: GlobalAccess): void {
  const { warp, words, instruction, form } = access;
  if (form.kind === 'plain' || acquireOrder(form.access).sem === 'relaxed') return;
  for (const [word, lanes] of wordsOf(access)) {
    const plan = warp.machine.plans.words.get(word);
    if (plan?.isPolled !== true || warp.mode.isUncertain) continue;
    const { index } = instruction;
    // The name of an atomic access is that of its write.
    const isLoad = form.atomic === '';
    const name = isLoad
      ? words.key(word, warp.number, index)
      : words.nextKey(word, warp.number, index);
    const key = `look ${name}`;
    const history = words.history(word);
    history.noteLook({ key, warp: warp.number, cta: warp.cta.rank, lanes });
    const wait = plan.waits.get(key);
    const { phase } = wait ?? { phase: null };
    if (phase !== null) recordWait(access, history, { ...wait!, key, phase }, lanes);
  }
}

/** The most phases before the awaited one whose writers are asked what they carry. */
const MAX_CARRIED = 64;

/** How far from what a word holds a value is looked for with which a poll ends. */
const NEAR = 4;

/** The wait of a poll that goes on with no value that the word may hold. */
function inVain(
  access: GlobalAccess,
  word: number,
  actual: Values,
  all: readonly Values[],
): PollStep {
  const open = { ...stepOf(access, word), phase: null, before: [], after: [] } as const;
  const held = actual.get(word)!;
  // Numbers of wide values are not near to one another.
  if (!Number.isInteger(held) || held < 0) return open;
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, at) => held + at - NEAR);
  const wanted = [0, 1, ...near].find((value) => {
    return (
      value >= 0 &&
      value !== held &&
      !isRepeated(access, null, new Map(actual).set(word, value), all)
    );
  });
  return wanted === undefined ? { ...open, held } : { ...open, held, wanted };
}

/** The bytes of a word. */
export function bytesOf({ warp, words }: GlobalAccess, word: number): number[] {
  const place = placeOf(warp, word);
  return [place, place + words.sizeOf(word)];
}

/** What all steps of a poll have. */
function stepOf(
  { warp, form, instruction: { index } }: GlobalAccess,
  word: number,
): Omit<PollStep, 'phase' | 'before' | 'after'> {
  return { op: 'poll', at: index, word: placeOf(warp, word), ...acquireOrder(form.access) };
}

/** The values that a poll is tried with. */
export function candidatesOf(
  planned: readonly number[] | undefined,
  history: WordHistory,
): Set<number> {
  if (planned !== undefined) return new Set(planned);
  const held = [history.initial, ...history.writes.map(({ value }) => value)];
  return new Set(held.filter((each): each is number => each !== null && !Number.isNaN(each)));
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
