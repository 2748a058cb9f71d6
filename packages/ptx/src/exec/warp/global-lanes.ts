// One execution of an instruction that accesses global memory, lane by lane, where all blocks of a
// grid are executed.
import { accessOf } from '../../isa/questions.ts';
import { WORD } from '../grid/words.ts';
import { demandedBitsOf } from '../../flow/demanded-bits.ts';
import { decides } from '../../flow/slice.ts';
import { numberOf, setNumber } from '../grid/word-values.ts';
import type { GlobalWords } from '../grid/words.ts';
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import { offsetOf, rankOf } from '../../steps/step.ts';
import type { AccessKind, AccessStep } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { deliver } from './access-form.ts';
import type { Form } from './access-form.ts';
import { checkAlignment } from './alignment.ts';
import { checkBuffer, VERBS } from './buffer-bounds.ts';
import { firstLane, lanesOf } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import { Status } from './program.ts';
import type { Warp } from './warp.ts';

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };

/** Windows that are not global memory. */
const OTHER_WINDOWS: ReadonlySet<number> = new Set([SHARED_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW]);

/** The lanes whose addresses are known and in global memory. */
export function globalLanes(warp: Warp, mask: number, space: string, read: ReadAddress): number {
  if (space === 'shared') return sharedLanes(warp, mask, read);
  if (space !== 'global' && space !== 'generic') return 0;
  let lanes = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    if (read(warp, lane, at) && !OTHER_WINDOWS.has(at.high)) lanes |= 1 << lane;
  }
  return space === 'generic' ? lanes | sharedLanes(warp, mask & ~lanes, read) : lanes;
}

/** The lanes whose addresses are those of words of shared memory that are waited for. */
function sharedLanes(warp: Warp, mask: number, read: ReadAddress): number {
  const { sharedWords } = warp.machine.order;
  let lanes = 0;
  if (sharedWords === undefined) return lanes;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    const isWord = read(warp, lane, at) && isSharedAt(at) && sharedWords.has(offsetOf(at.low));
    if (!isWord) continue;
    if (rankOf(at.low) !== warp.cta.rank) warp.machine.undecided(warp.stack.counter, OF_OTHERS);
    lanes |= 1 << lane;
  }
  return lanes;
}

const OF_OTHERS = 'a block accesses a word of shared memory that warps of another block wait for';

/** Whether an address is one of shared memory, which may have no window. */
function isSharedAt({ high }: Wide): boolean {
  return high === SHARED_WINDOW || high === 0;
}

/** An instruction as some lanes execute it. */
export interface GlobalAccess {
  readonly warp: Warp;
  readonly words: GlobalWords;
  readonly instruction: Instruction;
  readonly form: Form;
  readonly mask: number;
  /** By lane. */
  readonly addresses: readonly number[];
  /** What an atomic access is given, by lane; never equal where it is unknown. */
  readonly inputs: readonly number[];
  /** Whether it takes a lock that was free. */
  readonly isLock?: boolean;
  /** Whether it draws from a word in the order of the run. */
  readonly isTurn?: boolean;
}

/** The access of the lanes of a mask, whose addresses are known. */
export function globalAccess(
  warp: Warp,
  instruction: Instruction,
  form: Form,
  read: ReadAddress,
  mask: number,
): GlobalAccess {
  const addresses: number[] = [];
  const inputs: number[] = [];
  const isAtomic = form.atomic !== '';
  for (const lane of lanesOf(mask)) {
    read(warp, lane, at);
    if (at.high === 0 && form.space === 'shared') at.high = SHARED_WINDOW;
    addresses[lane] = at.high * 2 ** 32 + at.low;
    checkAlignment(warp, at.low, at.high, form.bytes * form.width);
    checkBuffer(warp, at.low, at.high, form.bytes * form.width, VERBS[form.access.op]);
    if (!isAtomic) continue;
    for (const register of form.values)
      inputs.push(
        warp.registers.read(register, lane, value) ? numberOf(value, form.bytes) : Number.NaN,
      );
  }
  return { warp, words: warp.machine.words!, instruction, form, mask, addresses, inputs };
}

/** Whether an access is the same one again, at this instruction or at another one. */
export function isAlike(one: GlobalAccess, other: GlobalAccess): boolean {
  return one.mask === other.mask && isPartOf(one, other);
}

/** Whether some lanes of an access, or all of them, make it again: each has its own word. */
function isPartOf(one: GlobalAccess, other: GlobalAccess): boolean {
  const isPart = (other.mask & ~one.mask) === 0 && (other.mask === one.mask || !one.inputs.length);
  return (
    isPart &&
    one.instruction.opcode === other.instruction.opcode &&
    lanesOf(other.mask).every((lane) => one.addresses[lane] === other.addresses[lane]) &&
    one.inputs.length === other.inputs.length &&
    one.inputs.every((input, index) => input === other.inputs[index])
  );
}

/** The word that one lane accesses; the lanes of a mask may access several. */
export function wordsOf({ mask, addresses }: GlobalAccess): Map<number, number> {
  const words = new Map<number, number>();
  for (const lane of lanesOf(mask)) {
    const word = addresses[lane]!;
    words.set(word, (words.get(word) ?? 0) | (1 << lane));
  }
  return words;
}

/** In a look ahead: whether it is what is searched for; whatever it is, it ends there. */
export function tryAgain(access: GlobalAccess): Status {
  const lookAhead = access.warp.ahead.look!;
  lookAhead.isFound = lookAhead.access !== undefined && isPartOf(lookAhead.access, access);
  if (lookAhead.isFound) lookAhead.again = access;
  return Status.observed;
}

/** What a word holds; it has to be known. */
export function valueOf(words: GlobalWords, word: number): number {
  const bytes = words.sizeOf(word);
  words.load(word, bytes, value);
  return numberOf(value, bytes);
}

/** Whether all words that lanes access are known. */
export function isKnown({ words, form, mask, addresses }: GlobalAccess): boolean {
  const bytes = Math.min(form.bytes, 2 * WORD);
  return lanesOf(mask).every((lane) => words.load(addresses[lane]!, bytes, value));
}

/** Writes what lanes load into a register file, by the values of the words. */
export function deliverWords(
  { warp, form, mask, addresses }: GlobalAccess,
  registers: RegisterFile,
  values: ReadonlyMap<number, number>,
): void {
  const own = warp.registers;
  warp.registers = registers;
  for (const lane of lanesOf(mask)) {
    setNumber(values.get(addresses[lane]!)!, value);
    deliver(warp, form.results[0]!, lane, value, true, form.signBits);
  }
  warp.registers = own;
}

/** The values that lead to something else than what was found, one of those that are alike. */
export function othersOf(
  { warp, form: { results, bytes } }: GlobalAccess,
  found: number,
  values: readonly number[],
): number[] {
  const [register] = results;
  const demanded = demandedBitsOf(warp.program.code);
  if (register === undefined || bytes !== WORD || demanded.areAll(register))
    return values.filter((each) => each !== found);
  const seen = new Set([demanded.of(register, found)]);
  return values.filter((each) => {
    const { size } = seen;
    return seen.add(demanded.of(register, each)).size > size;
  });
}

/** Delivers values that nothing is known of. */
export function deliverUnknown({ warp, form, mask }: GlobalAccess): void {
  for (const lane of lanesOf(mask))
    for (const register of form.results) {
      start(value, register);
      mix(value, warp.machine.fresh(), lane, 0);
      deliver(warp, register, lane, value, false, 0);
    }
}

/** The bytes that each lane accesses. */
export function rangesOf({ warp, form, mask, addresses }: GlobalAccess): number[] {
  const bytes = form.bytes * form.width;
  return lanesOf(mask).flatMap((lane) => {
    const from = placeOf(warp, addresses[lane]!);
    return [from, from + bytes];
  });
}

/** Ends a run whose pages or words are too many. */
export function tooMuch({ machine }: Warp, at: number): never {
  if (machine.words !== null) machine.words.isTooMuch = true;
  const who = machine.words === null ? 'threads' : 'blocks';
  return machine.undecided(at, `${who} touch more global memory than is compared`);
}

/** The place of an address in the run. */
export function placeOf(warp: Warp, address: number): number {
  const { machine, stack } = warp;
  return machine.pages.place(address) ?? tooMuch(warp, stack.counter);
}

/**
 * How an access of data relates to those of others. A volatile one whose value decides nothing is a
 * plain one: nothing orders it, and its value would be of another time.
 */
export function kindOfData({ warp, form: { kind }, instruction }: GlobalAccess): AccessKind {
  const isData = kind === 'volatile' && accessOf(instruction)?.isVolatile === true;
  return isData && !decides(warp.program.code, instruction) ? 'plain' : kind;
}

/** Records what lanes read or wrote. */
export function record(
  { warp, instruction }: GlobalAccess,
  kind: AccessKind,
  mask: number,
  touched: Pick<AccessStep, 'reads' | 'writes' | 'values'>,
): void {
  if (touched.reads.length + touched.writes.length === 0) return;
  const { isUncertain } = warp.mode;
  const possible = isUncertain ? { isPossible: true } : {};
  warp.record({ op: 'access', at: instruction.index, kind, ...touched, ...possible }, mask);
}
