// The lanes that an instruction of several lanes names in its member mask: all of them take part.
import { activeMasksOf, isOfLanes } from '../../flow/active-members.ts';
import type { Lanes } from '../../isa/effect.ts';
import type { Instruction } from '../../text/module.ts';
import { breach } from '../machine/practices.ts';
import { operandOf, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import type { Wide } from '../../values/wide.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { OperandError } from './slots.ts';
import { forget, OF_LANES } from './varying.ts';
import { lanesText } from '../../text/names.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

const RULE = 'a thread is one of those that its member mask names';

/** Reports lanes that execute it and that their own mask does not name. */
function checkMembers(warp: Warp, outside: number): void {
  if (outside === 0 || warp.ahead.look !== null) return;
  const { index, opcode } = warp.instruction;
  const lane = firstLane(outside);
  const text = `${opcode} with a member mask that lane ${lane} is not in, which executes it`;
  warp.machine.misuse('member-mask', index, text, RULE, warp);
}

const ABSENT_RULE = 'each thread that a member mask names executes the instruction';

/** Notes threads that a mask names and the block, whose last warp is not full, does not have. */
function noteAbsent(warp: Warp, members: number): void {
  const absent = members & ~warp.lanes;
  if (absent === 0 || warp.ahead.look !== null || warp.shadow.isRunning) return;
  const names = `the member mask of ${warp.instruction.opcode} names ${lanesText(absent)}`;
  const text = `${names}, which the block does not have`;
  const certain = warp.machine.certainty(warp, ABSENT_RULE);
  breach(warp, 'H20', { rule: 'member-mask', text, ...(certain && { certain }) });
}

const SAME_RULE = 'all threads that a member mask names execute the instruction with this mask';

/** Reports lanes that named others, which came with another mask and have ended. */
export function neverMetByMask(warp: Warp): void {
  const { index, opcode } = warp.instruction;
  const text = `lanes execute ${opcode} with masks that name one another and differ`;
  warp.machine.misuse('member-mask', index, text, SAME_RULE, warp);
}

/**
 * Whether all lanes that the masks name are there, with the same mask; else lanes wait for them:
 * all that execute it where some are elsewhere, and those that name lanes with another mask.
 */
function haveMembers(warp: Warp, register: number, mask: number): boolean {
  const { registers, live } = warp;
  const absent = live & ~mask;
  if (registers.perLane[register] === 0) {
    const isKnown = registers.read(register, firstLane(mask), out);
    if (isKnown) {
      checkMembers(warp, mask & ~out.low);
      noteAbsent(warp, out.low);
    }
    if (absent === 0) return isKnown || noteUnknown(warp);
    return isKnown ? meet(warp, mask, out.low & absent) : isUnknown(warp);
  }
  const known = registers.known[register]! & mask;
  if (absent !== 0 && known !== mask) return isUnknown(warp);
  if (known !== mask) noteUnknown(warp);
  let [missing, parted, waiting, outside] = [0, 0, 0, 0];
  for (let rest = known; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    registers.read(register, lane, out);
    const members = out.low;
    noteAbsent(warp, members);
    if (((members >>> lane) & 1) === 0) outside |= 1 << lane;
    missing |= members & absent;
    const others = members & known & ~lanesWith(warp, register, known, members);
    if (others !== 0) waiting |= 1 << lane;
    parted |= others;
  }
  checkMembers(warp, outside);
  // What a lane that no mask names waits for is not defined.
  if (outside !== 0) return true;
  if (missing === 0 && waiting !== 0) {
    warp.part(waiting, parted, true);
    return false;
  }
  return meet(warp, mask, missing);
}

/** The lanes that have a value in a register. */
function lanesWith(warp: Warp, register: number, mask: number, wanted: number): number {
  let lanes = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    warp.registers.read(register, lane, out);
    if (out.low === wanted) lanes |= 1 << lane;
  }
  return lanes;
}

/** Whether none are missing; lanes wait for those that are. */
function meet(warp: Warp, lanes: number, missing: number): boolean {
  if (missing === 0) return true;
  warp.part(lanes, missing);
  return false;
}

/** Says that data makes the mask with which lanes execute it, if it is not what they found. */
function noteUnknown({ machine, program, instruction, ahead }: Warp): true {
  const isFound = isOfLanes(program.provenance.definitions, instruction);
  if (!isFound && ahead.look === null)
    machine.noteUndecided(instruction.index, 'its member mask is unknown data');
  return true;
}

function isUnknown(warp: Warp): never {
  return warp.machine.undecided(
    warp.stack.counter,
    'unknown data is its mask, and lanes have parted from those that execute it',
  );
}

/** Joins the lanes that name one another; an unknown mask joins none. */
function joinMembers(warp: Warp, register: number, mask: number): void {
  for (let rest = mask; rest !== 0;) {
    const lane = firstLane(rest);
    const isKnown = warp.registers.read(register, lane, out);
    const members = isKnown ? out.low & rest : 0;
    if (members !== 0) warp.join(members);
    rest &= ~(members | (1 << lane));
  }
}

/** Whether the lanes that execute it are those that it names, whichever data makes them. */
function isAmongActive({ program }: Warp, instruction: Instruction): boolean {
  return activeMasksOf(program.provenance.definitions, instruction) !== null;
}

/** An instruction in which the lanes of its member mask take part. */
export function withMembers(build: BuilderOf<Lanes>): BuilderOf<Lanes> {
  return (instruction, effect, slots) => {
    const action = build(instruction, effect, slots);
    if (action.kind !== 'silent') throw new OperandError('an exchange between lanes is not silent');
    const register = slots.source(operandOf(instruction, 'members'));
    return silent((warp, mask) => {
      if (warp.mode.isUncertain && isAmongActive(warp, instruction)) {
        action.run(warp, mask);
        forget(
          warp,
          warp.program.destinations[instruction.index]!,
          mask,
          instruction.index,
          OF_LANES,
        );
        return;
      }
      if (!haveMembers(warp, register, mask)) return;
      joinMembers(warp, register, mask);
      action.run(warp, mask);
    });
  };
}
