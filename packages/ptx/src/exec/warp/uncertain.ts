// Instructions and branches that a predicate guards which is unknown data.
import type { Region } from './quiet-region.ts';
import { accessOf, isExchange, isLoad } from '../../isa/questions.ts';
import type { Instruction } from '../../text/module.ts';
import { doubtOf } from '../origins/free-guard.ts';
import { passOver } from '../footprints/passed-over.ts';
import { mayPart } from './guard.ts';
import { joinWays } from './join-ways.ts';
import { unknownIn } from '../origins/open-text.ts';
import { ActionKind, Status } from './program.ts';
import { offsetOf } from '../../steps/step.ts';
import type { Action } from './program.ts';
import { anyRounds, eitherWay, lastThread } from './unknown-branch.ts';
import { isSharedRead, sharedWordsOf, WAITS_FOR_WORD } from './shared-reads.ts';
import { forgetStores } from './region-stores.ts';
import { forget, isResultVarying, OF_ALL, OF_LANES, varyingAfter } from './varying.ts';
import type { Warp } from './warp.ts';

/** Whether one question decides the lanes in which a predicate is unknown, and is answered. */
export function isDecided(warp: Warp, at: number, mayAsk: boolean): boolean {
  const isOdd = warp.ahead.look !== null || warp.shadow.isRunning || warp.mode.isLast;
  return warp.guard.isDecided(warp, at, mayAsk && !isOdd && !warp.mode.isUncertain);
}

/** Whether it matters whether lanes execute a guarded instruction, though only to what is open. */
export function isInQuestion({ program }: Warp, at: number): boolean {
  return program.kinds[at] === ActionKind.visible || isExchange(program.code.instructions[at]!);
}

/** Whether an instruction that only its warp can observe changes more than registers. */
function changesMemory(instruction: Instruction): boolean {
  const op = accessOf(instruction)?.op;
  return op === 'store' || op === 'discard';
}

/** Executes an instruction whose predicate is unknown in some lanes, in those that may do it. */
export function mayExecute(warp: Warp, at: number, action: Action): Status {
  const { machine, program } = warp;
  const { executing: certain, unknown } = warp.guard;
  if (action.kind !== 'silent') warp.joinGhosts();
  const lanes = certain | unknown;
  if (isInQuestion(warp, at))
    machine.decisions.leavesOpen(action.kind === 'silent' ? 'joins' : 'accesses');
  const varying = isResultVarying(warp, at, lanes) ? OF_LANES : OF_ALL;
  if (action.kind === 'silent') {
    if (changesMemory(program.code.instructions[at]!))
      inDoubt(warp, at, unknown, () => action.run(warp, lanes));
    else if (certain !== 0) action.run(warp, certain);
    forget(warp, program.destinations[at]!, unknown, at, varying);
  } else if (action.kind === 'visible') {
    if (warp.ahead.look !== null || warp.shadow.isRunning) return Status.observed;
    if (!action.isAccess) return machine.undecided(at, openPredicate(warp, at, unknown));
    const status = inDoubt(warp, at, unknown, () => warp.shadow.beside(at, action, lanes));
    if (status !== Status.done) return status;
    warp.wait.pending = undefined;
    forget(warp, program.destinations[at]!, unknown, at, varying);
  } else if (warp.shadow.isRunning) return Status.observed;
  // A trap ends all that runs: until then, its lanes do no more than if it were not there.
  else if (action.kind !== 'trap' || certain !== 0)
    machine.undecided(at, openPredicate(warp, at, unknown));
  warp.stack.counter = at + 1;
  return Status.done;
}

function openPredicate(warp: Warp, at: number, lanes: number): string {
  return `its predicate is ${unknownIn(warp, warp.program.guards[at]!, lanes)}`;
}

/** Executes what may happen, as the guard of an instruction decides. */
function inDoubt<T>(warp: Warp, at: number, lanes: number, run: () => T): T {
  return warp.mode.inDoubt(doubtOf(warp, warp.program.code.instructions[at]!, lanes), run);
}

/** Follows a branch on unknown data as its question is answered; whether there is an answer. */
function goDecided(warp: Warp, at: number, mask: number): boolean {
  if (warp.program.guards[at]! < 0 || !isDecided(warp, at, true)) return false;
  warp.goWays(at, mask);
  return true;
}

/** The same of words of shared memory, which are noted: they may be followed. */
function waitForShared(warp: Warp, at: number, read: Instruction, mask: number): boolean {
  const { machine } = warp;
  const words = [...sharedWordsOf(warp, read, mask)].map((word) => offsetOf(word));
  const { sharedWords } = machine.order;
  const areFollowed = words.length > 0 && words.every((word) => sharedWords?.has(word));
  if (areFollowed && goDecided(warp, at, mask)) return true;
  for (const word of words) machine.waitedFor.add(word);
  return machine.undecided(read.index, WAITS_FOR_WORD);
}

/**
 * Gives up where a loop waits for a word: what that orders is not known here. Where the run follows
 * the word, a question decides the branch; whether one does.
 */
function waitFor(warp: Warp, at: number, mask: number, { poll, spin }: Region): boolean {
  if (poll !== null && isSharedRead(warp, poll, mask)) return waitForShared(warp, at, poll, mask);
  if (spin === null) return false;
  if (!isSharedRead(warp, spin, mask)) warp.machine.spins(spin.index);
  // An atomic access that does not wait exchanges what the round has computed.
  return isLoad(spin) && waitForShared(warp, at, spin, mask);
}

/** Joins the lanes of a warp that come to one exchange or another on each way of a branch. */
function joinOnWays(warp: Warp, mask: number, { join, exchange, isLoop }: Region): void {
  if (exchange === null) return;
  const isWhole = mask === warp.live && warp.apart.parted === null;
  if (join !== null && isWhole) warp.join(mask, join.index);
  else if (!isLoop) warp.machine.decisions.leavesOpen('joins');
}

/** Whether something stays open of what lies on the ways of a branch, if it is not decided. */
function isOpenIn({ exchange, join, isLoop }: Region, isQuiet: boolean): boolean {
  return !isLoop && (!isQuiet || (exchange !== null && join === null));
}

/** Executes accesses on the ways of a branch as ones that may happen. */
function accessOn(warp: Warp, branch: Instruction, mask: number, region: Region): void {
  if (region.isLoop) return anyRounds(warp, branch, mask, region);
  warp.machine.decisions.leavesOpen(region.exchange === null ? 'accesses' : 'joins');
  eitherWay(warp, branch, mask, region);
}

/** A branch on unknown data: skipped if no other warp can observe what lies on its ways. */
export function unknownBranch(warp: Warp, at: number, mask: number): boolean {
  if (warp.ahead.look !== null || warp.shadow.isRunning) return false;
  warp.joinGhosts();
  const { machine, program } = warp;
  const branch = program.code.instructions[at]!;
  const region = program.regionOf(branch);
  if (waitFor(warp, at, mask, region)) return true;
  if (region.exchange !== null && mayPart(warp, at, mask)) {
    if (goDecided(warp, at, mask)) return true;
    return machine.undecided(
      region.exchange.index,
      'lanes that unknown data has parted cannot take part in it',
    );
  }
  // Stores are executed where they may change what the launch gives.
  const isQuiet = region.obstacle === null && !(region.isStoring && machine.global.hasContents);
  if (isOpenIn(region, isQuiet) && machine.decisions.isClose && goDecided(warp, at, mask))
    return true;
  if (isQuiet) {
    joinOnWays(warp, mask, region);
    if (machine.observer === null && joinWays(warp, branch, mask, region)) return true;
    machine.observer?.passesOver(warp, at, mask);
    passOver(warp, region, mask);
    forget(warp, region.writes, mask, at, varyingAfter(warp, branch, mask, region));
    forgetStores(warp, region, mask);
    warp.stack.counter = region.meeting;
    return true;
  }
  if (region.isAccessOnly) {
    accessOn(warp, branch, mask, region);
    return true;
  }
  if (!warp.shadow.isOpen && lastThread(warp, warp.progress.addition, branch, mask, region))
    return true;
  if (goDecided(warp, at, mask)) return true;
  return undecidedBranch(warp, at, region.obstacle!);
}

/** A branch on unknown data around something that others can observe. */
export function undecidedBranch(warp: Warp, at: number, around = warp.instruction): never {
  const { opcode, line } = around;
  const guard = warp.program.guards[at]!;
  const isFollowed = guard >= 0 && warp.registers.depends[guard] === 1;
  const what = isFollowed ? unknownIn(warp, guard, warp.stack.mask) : 'unknown data';
  const on = what.startsWith('up to ') ? 'where it goes is' : 'it branches on';
  return warp.machine.undecided(at, `${on} ${what} around ${opcode} at PTX line ${line}`);
}
