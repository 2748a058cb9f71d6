// Accesses to global memory where all blocks of a grid are executed: words that warps poll become
// waits and signals, others are accesses like those of shared memory.
import { NC_RULE, NC_TEXT } from '../footprints/non-coherent.ts';
import { WORD } from '../grid/words.ts';
import { isInLoop, mayRepeat } from '../../flow/cycles.ts';
import type { Instruction } from '../../text/module.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { deliver } from './access-form.ts';
import type { Form } from './access-form.ts';
import { deliverUnknown, globalAccess, isKnown, kindOfData } from './global-lanes.ts';
import { rangesOf, record, tryAgain, wordsOf } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { lock, mayLock } from './global-lock.ts';
import { isOfBlock, look, poll } from './global-poll.ts';
import { isIdle } from './idle-atomic.ts';
import { write } from './global-write.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import { Status } from './program.ts';
import type { Warp } from './warp.ts';

const value: Wide = { low: 0, high: 0 };

/** Executes an access in the lanes of `mask`, whose addresses are known. */
export function accessGlobal(
  warp: Warp,
  instruction: Instruction,
  form: Form,
  read: ReadAddress,
  mask: number,
): Status {
  const access = globalAccess(warp, instruction, form, read, mask);
  const isLoad = form.atomic === '' && !form.isStore;
  if (warp.ahead.look !== null) return isLoad ? load(access) : tryAgain(access);
  const { round } = warp.machine;
  if (round !== null && !(isLoad && form.kind === 'plain' && !isOfBlock(access))) {
    round.comesTo(access);
    return Status.blocked;
  }
  if (isLoad || isIdle(access)) return load(access);
  return mayLock(access) ? lock(access) : write(access);
}

/** Whether an access may be a wait, or a load that finds one of several values. */
export function isPoll(
  warp: Warp,
  instruction: Instruction,
  form: Form,
  read: ReadAddress,
  mask: number,
): boolean {
  const access = globalAccess(warp, instruction, form, read, mask);
  const isLoad = form.atomic === '' && !form.isStore;
  return (isLoad || isIdle(access)) && isPolling(access) && !isOfBlock(access);
}

/** Whether an access is one of words whose values are followed. */
function isWhole({ bytes, width }: Form): boolean {
  return (bytes === WORD || bytes === 2 * WORD) && width === 1;
}

function isPolling(access: GlobalAccess): boolean {
  const { warp, form } = access;
  const isWord = isWhole(form) && isKnown(access) && isBegun(access);
  return isWord && warp.machine.round === null && mayWait(access);
}

function load(access: GlobalAccess): Status {
  const { warp, instruction, form } = access;
  const { machine } = warp;
  const { look: lookAhead } = warp.ahead;
  const { index } = instruction;
  if (form.access.isNonCoherent && lookAhead === null) checkUnwritten(access);
  if (lookAhead !== null) {
    const { access: own } = lookAhead;
    if (form.kind !== 'plain' || own?.instruction.index === index) return tryAgain(access);
    deliverAll(access);
    return Status.done;
  }
  if (form.kind !== 'plain')
    for (const word of wordsOf(access).keys()) access.words.noteFound(index, word);
  if (isPolling(access)) return poll(access);
  if (form.kind === 'volatile' && isSpin(access)) machine.undecided(index, NO_WORD);
  // An atomic load that is no poll may find another value; volatile ones are asked for races.
  const kind = kindOfData(access);
  if (kind === 'plain') deliverAll(access);
  else {
    deliverUnknown(access);
    for (const word of wordsOf(access).keys()) access.words.looked.add(word);
  }
  record(access, kind, access.mask, { reads: rangesOf(access), writes: [], values: [] });
  look(access);
  return Status.done;
}

/** Reports a load with `.nc` of a word that a warp has written. */
function checkUnwritten({ warp, words, form, mask, addresses, instruction }: GlobalAccess): void {
  const isWritten = lanesOf(mask).some((lane) => {
    const [from, to] = [addresses[lane]!, addresses[lane]! + form.bytes * form.width];
    for (let word = from; word < to; word += WORD) if (words.isWritten(word)) return true;
    return false;
  });
  if (isWritten) warp.machine.misuse('non-coherent', instruction.index, NC_TEXT, NC_RULE, warp);
}

/** Whether it is known what all words held at first: else a load may find unknown data. */
function isBegun(access: GlobalAccess): boolean {
  const { words, form } = access;
  return [...wordsOf(access).keys()].every((word) => {
    return !Number.isNaN(words.history(word, form.bytes).initial);
  });
}

/** Whether a load may be repeated until it finds a value, or may find one of several. */
function mayWait(access: GlobalAccess): boolean {
  const { warp, instruction, form } = access;
  const { code } = warp.program;
  if (form.kind !== 'plain')
    return warp.machine.choices !== null || mayRepeat(code, instruction.index);
  // A plain load of several words is data: as a poll of them it would race.
  return isInLoop(code, instruction.index) && wordsOf(access).size === 1;
}

const NO_WORD =
  'it polls memory that is no word of 32 or 64 bits: nothing orders the parts of others';

/** Whether a volatile load of another size is repeated while it finds what it finds now. */
function isSpin(access: GlobalAccess): boolean {
  const { warp, words, instruction, form, mask, addresses } = access;
  const isOther = !isWhole(form);
  const isWritten = lanesOf(mask).some((lane) => words.isWritten(addresses[lane]!));
  return isOther && isWritten && mayRepeat(warp.program.code, instruction.index);
}

function deliverAll({ warp, words, form, mask, addresses, instruction }: GlobalAccess): void {
  const { bytes, width } = form;
  for (const lane of lanesOf(mask))
    for (let element = 0; element < width; element++) {
      const address = addresses[lane]! + element * bytes;
      let isLoaded = false;
      start(value, bytes);
      if (bytes > 2 * WORD) mix(value, address % 2 ** 32, instruction.index, 1);
      else if (words.isContested(address, bytes)) mix(value, warp.machine.fresh(), lane, 0);
      else isLoaded = words.load(address, bytes, value);
      deliver(warp, form.results[element]!, lane, value, isLoaded, form.signBits);
    }
}
