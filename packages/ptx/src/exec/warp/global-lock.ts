// Locks in global memory: an exchange that a warp repeats until the word is free. One that fails
// changes nothing, so that the warp waits; one that succeeds is a write of the word.
import { mayRepeat } from '../../flow/cycles.ts';
import { isInBarrierLoop } from '../../flow/barrier-loops.ts';
import { WORD } from '../grid/words.ts';
import { bytesOf, candidatesOf, fail, isRepeated, mayFail, waitsForBlock } from './global-poll.ts';
import { isKnown, placeOf, record, valueOf } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { exchanged, write } from './global-write.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { acquireOrder } from './order.ts';
import { Status } from './program.ts';

/** What keys of its waits begin with. */
const LOCK = 'lock ';

/** Whether an access may be an exchange that is repeated until it succeeds. */
export function mayLock(access: GlobalAccess): boolean {
  const { warp, instruction, form, mask } = access;
  const isExchange = form.atomic === 'cas' || form.atomic === 'exch';
  if (!isExchange || form.results.length === 0 || (mask & (mask - 1)) !== 0) return false;
  const isWord = form.bytes === WORD || form.bytes === 2 * WORD;
  if (!mayRepeat(warp.program.code, instruction.index) || !isWord) return false;
  return !warp.mode.isUncertain && isKnown(access) && exchanged(access, 0) !== null;
}

/** Such an exchange: a wait where it fails; what it stores where it does not. */
export function lock(access: GlobalAccess): Status {
  const { warp, words, instruction, mask, addresses } = access;
  const { machine } = warp;
  const word = addresses[firstLane(mask)]!;
  const isOfBlock = isInBarrierLoop(warp.program.code, instruction.index);
  if (isOfBlock && waitsForBlock(warp)) return Status.blocked;
  warp.turns.come(false);
  const history = words.history(word, access.form.bytes);
  const actual = valueOf(words, word);
  const passes = new Map<number, boolean>();
  let isLock = true;
  const candidates = [...candidatesOf(machine.plans.words.get(word)?.values, history)];
  const all = candidates.map((candidate) => new Map([[word, candidate]]));
  for (const [index, candidate] of candidates.entries()) {
    const isChange = exchanged(access, candidate) !== candidate;
    const isBack = isRepeated(access, null, all[index]!, all);
    isLock &&= isChange !== isBack;
    passes.set(candidate, isChange || !isBack);
  }
  const order = acquireOrder(access.form.access);
  const wait = { op: 'poll', at: index(access), word: placeOf(warp, word), ...order } as const;
  const free = [...passes.values()].filter((isFree) => isFree).length;
  const failing = [...passes.keys()].find((each) => passes.get(each) === false);
  const mustFail = isLock && failing !== undefined && mayFail(access, word, LOCK);
  if (passes.get(actual) === false || mustFail || (isLock && isEarly(access, word))) {
    if (mustFail) {
      fail(access, word, failing);
      return Status.done;
    }
    warp.wait.on = { ...wait, phase: null, before: [], after: [] };
    return Status.blocked;
  }
  if (!isLock || free !== 1 || passes.size === 1) return write(access);
  const key = keyOf(access, word);
  const plan = machine.plans.words.get(word)?.waits.get(key);
  warp.turns.failed = null;
  const { number, cta } = warp;
  const by = { warp: number, cta: cta.rank, at: index(access), lanes: mask, isOfSystem: false };
  history.notePoll({ key, ...by, after: history.writes.length, passes, isLock: true });
  record(access, 'atomic', mask, { reads: bytesOf(access, word), writes: [], values: [] });
  if (plan !== undefined && plan.phase !== null) warp.record({ ...wait, ...plan }, mask);
  return write({ ...access, isLock: true });
}

function index({ instruction }: GlobalAccess): number {
  return instruction.index;
}

function keyOf({ warp, words, instruction }: GlobalAccess, word: number): string {
  return `${LOCK}${words.nextKey(word, warp.number, instruction.index)}`;
}

/** Whether others have to take the lock before, in this order of the blocks. */
function isEarly(access: GlobalAccess, word: number): boolean {
  const { warp, words } = access;
  const order = warp.machine.lockOrders.get(word);
  if (order === undefined) return false;
  const taken = words.history(word).polls.filter(({ isLock }) => isLock === true).length;
  warp.turns.come(order[taken] !== keyOf(access, word));
  return warp.turns.isEarly;
}
