// Stores and atomic accesses to global memory where all blocks of a grid are executed: those of
// words that warps poll are signals.
import { isReleaseFence } from '../grid/unfenced-writes.ts';
import { isStore, WORD } from '../grid/words.ts';
import type { WordHistory } from '../grid/words.ts';
import { numberOf, setNumber } from '../grid/word-values.ts';
import { isShared } from '../../steps/pages.ts';
import { registersIn } from '../../flow/liveness.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { accessOf } from '../../isa/questions.ts';
import type { Step } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import { deliver } from './access-form.ts';
import type { Form } from './access-form.ts';
import { atomicResult, COMMUTATIVE } from './atomic.ts';
import { ghostOf, MAX_GHOSTS } from './ghosts.ts';
import { deliverWords, isKnown, othersOf, placeOf, record } from './global-lanes.ts';
import { tooMuch, valueOf } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { firstLane, lanesOf } from '../../values/lane-mask.ts';
import { look } from './global-poll.ts';
import { logChange } from './log-change.ts';
import { acquireOrder, releaseOrder } from './order.ts';
import { Status } from './program.ts';
import type { Warp } from './warp.ts';
import { recordAfterDraws, recordWrite } from './word-turns.ts';

const value: Wide = { low: 0, high: 0 };
const first: Wide = { low: 0, high: 0 };
const second: Wide = { low: 0, high: 0 };

const NOT_CACHED =
  'H16 holds, which the PTX ISA does not promise: the last block to draw a number has not read ' +
  'before what the others wrote, and needs no fence behind the draw';

/** The most changes of a word that are followed. */
const MAX_WRITES = 1 << 16;
const TOO_MANY = `it changes a word more than ${MAX_WRITES} times`;

/** How far back a fence is looked for. */
const MAX_LOOKED_AT = 256;

/** Whatever writes words. */
type Writing = Pick<GlobalAccess, 'warp' | 'words' | 'instruction'>;

/** The signals of one access at a word. */
interface Signals {
  arrivals: number;
  mask: number;
  readonly guards: number[];
}

/** Stores and atomic accesses, lane by lane. */
export function write(requested: GlobalAccess): Status {
  const access = mayTurn(requested) ? { ...requested, isTurn: true } : requested;
  const { warp, instruction, form, mask, addresses } = access;
  const { bytes, width, kind } = form;
  const { index } = instruction;
  if (isTooEarly(access) || isHeld(access) || isOutOfTurn(access)) {
    const word = placeOf(warp, addresses[firstLane(mask)]!);
    warp.wait.on = { op: 'poll', at: index, word, phase: null, before: [], after: [] };
    return Status.blocked;
  }
  if (form.atomic !== '') look(access);
  const isFirst = lanesOf(mask).every((lane) => isFirstOfShared(access, addresses[lane]!));
  const writes: number[] = [];
  const values: number[] = [];
  let writing = 0;
  const signals = new Map<number, Signals>();
  const isLast = isLastDraw(access) || isLastTurn(access);
  const lastWord = isLast ? addresses[firstLane(mask)]! : -1;
  for (const lane of lanesOf(mask)) {
    for (let element = 0; element < width; element++) {
      const address = addresses[lane]! + element * bytes;
      const stored = form.isStore ? valueOfStore(access, lane, element) : [];
      logChange(access, lane, element, address);
      const guards = change(access, lane, element, address);
      if (isAfterDraws(access, address)) {
        recordAfterDraws(access, address, 1 << lane);
        continue;
      }
      if (guards === null) {
        const place = placeOf(warp, address);
        writes.push(place, place + bytes);
        values.push(...stored);
        writing |= 1 << lane;
        continue;
      }
      let sent = signals.get(address);
      if (sent === undefined) signals.set(address, (sent = { arrivals: 0, mask: 0, guards: [] }));
      sent.arrivals++;
      sent.mask |= 1 << lane;
      sent.guards.push(...guards);
    }
  }
  if (access.words.isFull) tooMuch(warp, index);
  record(access, isFirst ? 'plain' : kind, writing, { reads: [], writes, values });
  for (const [address, sent] of signals) signal(access, address, sent, address === lastWord);
  return Status.done;
}

/** The order of a polled word is what its users make of it; a plain store of it may race. */
function signal(
  access: GlobalAccess,
  address: number,
  { arrivals, mask: lanes, guards }: Signals,
  isLast: boolean,
): void {
  const { warp, instruction, form } = access;
  const { index } = instruction;
  const word = placeOf(warp, address);
  recordWrite(access, address, lanes);
  const { writes } = access.words.histories.get(address)!;
  const drawn = writes.length - 1;
  const poll = { op: 'poll', at: index, word, before: [], after: [] } as const;
  // It finds what the draws before it left: each carries on what those before it carried.
  const before = writes.slice(0, drawn);
  const carried = access.isTurn === true ? Math.max(0, before.findLastIndex(isStore)) : drawn;
  const { sem, scope } = acquireOrder(form.access);
  // It knows what all others did before they drew.
  const known = isLast ? { scope } : { sem, scope };
  if (isLast && sem === 'relaxed') warp.machine.assume(index, 'H16', NOT_CACHED);
  for (let phase = carried; phase < drawn; phase++)
    warp.record({ ...poll, phase, ...known }, lanes);
  const order = releaseOrder(form.access);
  warp.record({ op: 'signal', at: index, word, arrivals, guards, ...order }, lanes);
  if (isLast && access.isTurn !== true) warp.record({ ...poll, phase: 0, scope }, lanes);
}

/** Whether an access is the draw that has to be the last one of its word. */
function isLastDraw({ warp, words, instruction, form, mask, addresses }: GlobalAccess): boolean {
  if (form.atomic === '' || (mask & (mask - 1)) !== 0) return false;
  const address = addresses[firstLane(mask)]!;
  const last = warp.machine.lastDraws.get(address);
  return last !== undefined && words.nextKey(address, warp.number, instruction.index) === last.key;
}

/** Whether an access is the last draw of a word that warps draw from in turn. */
function isLastTurn({ warp, words, instruction, mask, addresses, isTurn }: GlobalAccess): boolean {
  if (isTurn !== true) return false;
  const address = addresses[firstLane(mask)]!;
  const last = warp.machine.plans.words.get(address)?.last;
  return last !== undefined && words.nextKey(address, warp.number, instruction.index) === last;
}

/** Whether an access draws from a word in an order that is chosen. */
function mayTurn(access: GlobalAccess): boolean {
  const { warp, form, mask, addresses } = access;
  const { choices, plans } = warp.machine;
  if (choices === null || form.atomic === '' || form.bytes !== WORD) return false;
  if (access.isLock === true || (mask & (mask - 1)) !== 0 || warp.mode.isUncertain) return false;
  const plan = plans.words.get(addresses[firstLane(mask)]!);
  if (plan !== undefined && plan.draws === undefined) return false;
  return (
    isUsed(access) &&
    isKnown(access) &&
    exchanged(access, valueOf(access.words, addresses[firstLane(mask)]!)) !== null
  );
}

/** Whether another warp has to draw first; else the draw is noted. */
function isOutOfTurn(access: GlobalAccess): boolean {
  if (access.isTurn !== true) return false;
  const { warp, words, addresses, mask } = access;
  const address = addresses[firstLane(mask)]!;
  const draws = words.history(address).writes.length;
  warp.turns.come(!warp.machine.choices!.mayDraw(warp.number, address, draws));
  return warp.turns.isEarly;
}

/** Whether polls have to find what words hold before an access writes them. */
function isHeld({ warp, words, mask, addresses, isTurn }: GlobalAccess): boolean {
  const { choices } = warp.machine;
  if (choices === null) return false;
  const isEarly = lanesOf(mask).some((lane) => {
    const word = addresses[lane]!;
    const history = words.histories.get(word);
    if (history === undefined) return false;
    const { length } = history.writes;
    return choices.isHeld(warp.number, word, valueOf(words, word), isTurn === true ? -1 : length);
  });
  warp.turns.come(isEarly);
  return isEarly;
}

/** Whether others have to draw before. */
function isTooEarly(access: GlobalAccess): boolean {
  if (!isLastDraw(access)) return false;
  const { address, draws } = access.warp.machine.lastDraws.get(
    access.addresses[firstLane(access.mask)]!,
  )!;
  return access.words.history(address).writes.length < draws - 1;
}

/** Whether a word was written after all draws from it. */
function isAfterDraws({ warp, words }: GlobalAccess, address: number): boolean {
  const draws = warp.machine.plans.words.get(address)?.draws;
  return draws !== undefined && words.history(address).writes.length > draws;
}

/** What an exchange stores if it finds a value; `null` if that is not known. */
export function exchanged({ warp, form, mask }: GlobalAccess, found: number): number | null {
  setNumber(found, value);
  return compute(warp, form, firstLane(mask)) ? numberOf(second, form.bytes) : null;
}

/** What an atomic access stores, into `second`; `value` is what the word holds. */
function compute(warp: Warp, form: Form, lane: number): boolean {
  const { registers } = warp;
  const isFirstKnown = registers.read(form.values[0]!, lane, first);
  const other = form.values[1];
  const isSecondKnown = other === undefined || registers.read(other, lane, second);
  return (
    isFirstKnown && isSecondKnown && atomicResult(form.atomic, form.bytes, value, first, second)
  );
}

/** Two numbers that identify what an element of a lane stores. */
function valueOfStore({ warp, form }: GlobalAccess, lane: number, element: number): number[] {
  if (form.bytes > 2 * WORD) return [warp.machine.fresh(), warp.number];
  const isKnown = warp.registers.read(form.values[element]!, lane, value) && !warp.mode.isUncertain;
  return [value.low, isKnown && form.bytes <= WORD ? 0 : value.high];
}

/** Changes a word; the guards of a signal, or `null` where no warp polls the word. */
function change(
  access: GlobalAccess,
  lane: number,
  element: number,
  address: number,
): readonly number[] | null {
  const { warp, words, form } = access;
  const { bytes } = form;
  if (isFirstOfShared(access, address)) {
    const isKnown =
      warp.registers.read(form.values[element]!, lane, value) && !warp.mode.isUncertain;
    words.store(address, bytes, value, isKnown && bytes <= 2 * WORD);
    words.history(address, bytes);
    return null;
  }
  const isWhole = (bytes === WORD || bytes === 2 * WORD) && address % bytes === 0;
  if (isWhole) words.noteSize(address, bytes);
  else noteParts(access, address, bytes);
  if (!form.isStore) return changeAtomically(access, lane, address, isWhole);
  const isKnown = warp.registers.read(form.values[element]!, lane, value) && !warp.mode.isUncertain;
  const stored = isKnown ? numberOf(value, bytes) : null;
  const has = isWhole && (isKnown || words.histories.has(address));
  const history = has ? words.history(address, bytes) : null;
  warp.registers.read(form.values[element]!, lane, value);
  const ordered =
    form.kind === 'plain'
      ? null
      : { writer: warp.number, effect: `set ${value.low} ${bytes > WORD ? value.high : 0}` };
  words.store(address, Math.min(bytes, 2 * WORD), value, isKnown && bytes <= 2 * WORD, ordered);
  if (bytes > 2 * WORD) words.forget(address + 2 * WORD, bytes - 2 * WORD);
  return history === null ? null : note(access, history, null, `set ${stored}`, stored);
}

/**
 * Whether an access stores what a word of shared memory holds at first. It is a plain store, which
 * races with all that is not ordered behind it.
 */
function isFirstOfShared({ form, words }: GlobalAccess, address: number): boolean {
  return form.isStore && isShared(address) && !words.histories.has(address);
}

/** Words that are written in part, or several at once, hold what is not followed. */
function noteParts(access: Writing, address: number, bytes: number): void {
  for (let word = address - (address % WORD); word < address + bytes; word += WORD) {
    const before = access.words.histories.get(word - WORD);
    if (before !== undefined && before.bytes > WORD) note(access, before, null, 'part', null);
    const history = access.words.histories.get(word);
    if (history !== undefined) note(access, history, null, 'part', null);
  }
}

/** An asynchronous copy writes bytes, of which nothing is known. */
export function forgetWords(warp: Warp, at: number, address: number, bytes: number): void {
  const words = warp.machine.words!;
  const instruction = warp.program.code.instructions[at]!;
  const by = {
    kind: 'change' as const,
    warp: warp.number,
    bytes: WORD,
    atomic: '' as const,
    operands: null,
  };
  for (let word = address - (address % WORD); word < address + bytes; word += WORD)
    warp.machine.choices?.log.push({ ...by, address: word, answer: null });
  noteParts({ warp, words, instruction }, address, bytes);
  words.forget(address, bytes);
}

function changeAtomically(
  access: GlobalAccess,
  lane: number,
  address: number,
  isWhole: boolean,
): readonly number[] | null {
  const { warp, words, form, instruction } = access;
  const { atomic } = form;
  const history = isWhole ? words.history(address, form.bytes) : null;
  const isOldKnown = words.load(address, Math.min(2 * WORD, form.bytes), value);
  const old = isOldKnown ? numberOf(value, form.bytes) : Number.NaN;
  const isNewKnown = isOldKnown && !warp.mode.isUncertain && compute(warp, form, lane);
  const result = isNewKnown ? numberOf(second, form.bytes) : null;
  const input = numberOf(first, form.bytes);
  if (!isNewKnown) {
    start(second, instruction.index);
    mix(second, warp.machine.fresh(), lane, 0);
  }
  const swapped = atomic === 'cas' ? numberOf(second, form.bytes) : '';
  const operands = COMMUTATIVE.has(atomic) ? '' : `${input} ${swapped}`;
  const ordered = { writer: warp.number, effect: `${atomic} ${form.bytes} ${operands}` };
  words.store(address, Math.min(2 * WORD, form.bytes), second, isNewKnown, ordered);
  if (form.bytes > 2 * WORD) words.forget(address + 2 * WORD, form.bytes - 2 * WORD);
  if (history === null || (atomic === 'cas' && isNewKnown && result === old)) {
    answerUnchanged(access, lane, history, old, isOldKnown);
    return null;
  }
  // Sums of wide words are followed in the order of the run alone.
  const amount = atomic === 'add' && form.bytes === WORD ? first.low | 0 : null;
  // Whether an exchange changes the word depends on what was written before.
  const others = atomic === 'cas' ? `${result} ${history.writes.length}` : '';
  const guards = note(access, history, amount, `${atomic} ${input} ${others}`, result);
  if (access.isLock === true) answer(access, lane, true, isOldKnown, old);
  else if (isUsed(access)) answerChanged(access, lane, history, old, isOldKnown);
  return guards;
}

/** Answers an access that changes nothing here; in another order of the blocks it might. */
function answerUnchanged(
  access: GlobalAccess,
  lane: number,
  history: WordHistory | null,
  old: number,
  isOldKnown: boolean,
): void {
  const { warp, instruction } = access;
  const { machine } = warp;
  const isRead = isUsed(access);
  if (history === null) return answer(access, lane, isRead, false, old);
  const by = { at: instruction.index, warp: warp.number };
  const isSure =
    !machine.isPlanned || machine.plans.words.get(history.address)?.values.length === 1;
  history.noteAttempt({ ...by, compare: numberOf(first, access.form.bytes) });
  if (isRead) history.noteAnswer({ key: '', ...by });
  answer(access, lane, isRead, isOldKnown && isSure, old);
  if (isPolled(warp, history)) machine.decided(warp);
}

/** Answers an access whose answer is used, with all that it may be in other orders. */
function answerChanged(
  access: GlobalAccess,
  lane: number,
  history: WordHistory,
  old: number,
  isOldKnown: boolean,
): void {
  const { warp, instruction, mask } = access;
  const { machine } = warp;
  const { address } = history;
  const { key } = history.writes.at(-1)!;
  history.noteAnswer({ key, at: instruction.index, warp: warp.number });
  const isAlone = (mask & (mask - 1)) === 0;
  const answers = machine.plans.words.get(address)?.answers.get(key);
  const others = othersOf(access, old, answers ?? []);
  const isFree = answers === undefined && machine.isPlanned && access.isTurn !== true;
  const isOpen = isFree || (others.length > 0 && (!isAlone || !warp.mayHaunt));
  answer(access, lane, true, isOldKnown && !isOpen, old);
  if (others.length === 0 || isOpen) return;
  if (others.length > MAX_GHOSTS) machine.decided(warp);
  const held = (other: number): ReadonlyMap<number, number> => new Map([[address, other]]);
  warp.ghosts.set(
    others.map((other) =>
      ghostOf(warp, (registers) => deliverWords(access, registers, held(other))),
    ),
  );
}

/** Whether the warp reads what an atomic access answers. */
function isUsed({ warp, form: { results } }: GlobalAccess): boolean {
  return results.length > 0 && isLive(warp, results[0]!);
}

/** Notes a write; the guards that it signals with, or `null` where no warp polls the word. */
function note(
  { warp, instruction }: Writing,
  history: WordHistory,
  amount: number | null,
  effect: string,
  held: number | null,
): readonly number[] | null {
  const { number, cta, index: own, machine } = warp;
  const by = {
    cta: cta.rank,
    ctas: machine.ctas,
    index: own,
    step: warp.steps.length,
    lanes: warp.stack.mask,
  };
  const isWeak = isPolled(warp, history) && isUnfenced(warp, instruction);
  const written = { ...by, amount, effect, value: held, isWeak };
  if (history.writes.length === MAX_WRITES) machine.undecided(instruction.index, TOO_MANY);
  const write = history.noteWrite(number, instruction.index, written);
  const plan = machine.plans.words.get(history.address);
  if (plan?.draws !== undefined && history.writes.length > plan.draws) return null;
  return isPolled(warp, history) ? (plan?.guards?.get(write.key) ?? []) : null;
}

/** Steps by which a warp may learn what others know. */
const LEARNS: ReadonlySet<Step['op']> = new Set(['poll', 'wait', 'named', 'clusterWait']);

/** Whether a store is relaxed, and has no fence between it and what its warp learned last. */
function isUnfenced({ steps }: Warp, instruction: Instruction): boolean {
  const access = accessOf(instruction);
  if (access?.op !== 'store' || releaseOrder(access).sem !== 'relaxed') return false;
  const end = Math.max(0, steps.length - MAX_LOOKED_AT);
  for (let at = steps.length - 1; at >= end; at--) {
    const step = steps[at]!;
    if (LEARNS.has(step.op)) return true;
    if (isReleaseFence(step)) return false;
  }
  return true;
}

function isPolled({ machine }: Warp, { address }: WordHistory): boolean {
  return machine.plans.words.get(address)?.isPolled === true;
}

function answer(
  { warp, form }: GlobalAccess,
  lane: number,
  isRead: boolean,
  isKnown: boolean,
  old: number,
): void {
  if (!isRead && form.results.length === 0) return;
  if (isKnown) setNumber(old, value);
  else {
    start(value, form.results[0]!);
    mix(value, warp.machine.fresh(), lane, 0);
  }
  deliver(warp, form.results[0]!, lane, value, isKnown, 0);
}

/** Whether a register is read before it is written again, behind the instruction in execution. */
function isLive(warp: Warp, register: number): boolean {
  return [...registersIn(warp.program.liveBefore(warp.stack.counter + 1))].includes(register);
}
