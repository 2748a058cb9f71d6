// Prepares a kernel for execution: an action for each instruction.
import { Provenance } from '../../flow/provenance.ts';
import { Liveness, readsOf } from '../../flow/liveness.ts';
import { meetingPoints } from '../../flow/meeting-points.ts';
import { touchingOf } from '../footprints/touching.ts';
import { regionOf } from './quiet-region.ts';
import type { Region } from './quiet-region.ts';
import { isUnsaid, SPECIAL_REGISTERS } from '../machine/special-registers.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import { PtxError } from '../../text/ptx-error.ts';
import { arrivalOf } from './arrival-address.ts';
import { NOTHING, visible } from './builder.ts';
import { build } from './builders.ts';
import { countedLoops } from './counted-loop.ts';
import { withWholeWarp } from './whole-warp.ts';
import { withEarlier } from './earlier.ts';
import { isCollective, isOfWarp } from './joins.ts';
import { ActionKind } from './program.ts';
import type { Action, Program } from './program.ts';
import { registerUses } from './registers-in-flight.ts';
import { localStoreOf } from './region-stores.ts';
import { sharedReadOf } from './shared-reads.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import { address } from './lane.ts';
import { OperandError, Slots } from './slots.ts';
import type { GlobalUse } from './slots.ts';

/** The action of an instruction; one that is not modeled ends the run where it is executed. */
function actionOf(instruction: Instruction, slots: Slots): Action {
  const { unmodeled, index } = instruction;
  if (unmodeled !== null) return visible((warp) => warp.machine.undecided(index, unmodeled));
  const action = build(instruction, slots);
  return slots.slice?.isIdle(instruction) === true ? NOTHING : action;
}

/** Whether an instruction computes registers of its own lanes, or accesses private memory. */
function isPickable({ effect, index, operands }: Instruction, kinds: Uint8Array): boolean {
  if (kinds[index] !== ActionKind.silent) return false;
  const isSource = operands.some((each) => each.kind === 'special' && isUnsaid(each.name));
  if (effect.kind === 'access') return effect.space !== 'local' && effect.space !== 'generic';
  return (effect.kind === 'compute' && !isSource) || effect.kind === 'hint';
}

/** What instructions touch of global memory, and where from. */
function touchingsOf(code: PtxFunction, slots: Slots): Pick<Program, 'touchings' | 'isTouching'> {
  const used = new Set(code.instructions.flatMap((each) => readsOf(each)));
  const touchings = code.instructions.map((each) =>
    touchingOf(each, slots, (register) => used.has(register)),
  );
  const isTouching = Uint8Array.from(touchings, (each) => (each === null ? 0 : 1));
  return { touchings, isTouching };
}

/** What instructions touch, what is live before them, and the loops that are summarized. */
function partsOf(code: PtxFunction, kinds: Uint8Array, slots: Slots) {
  let liveness: Liveness | undefined;
  const liveBefore = (at: number): Uint32Array => (liveness ??= new Liveness(code)).before(at);
  const touching = touchingsOf(code, slots);
  const parts = { code, kinds, touchings: touching.touchings, liveBefore };
  return { ...touching, liveBefore, countedLoops: countedLoops(parts, slots) };
}

/**
 * Prepares a function without calls.
 *
 * @param file The PTX file, for messages.
 * @param use What global memory is to the run.
 * @throws PtxError at an instruction that is not known.
 */
export function prepare(code: PtxFunction, file: string, use: GlobalUse = {}): Program {
  const slots = new Slots(code, use);
  const end = code.instructions.length;
  const kinds = new Uint8Array(end);
  const guards = new Int32Array(end).fill(-1);
  const isNegated = new Uint8Array(end);
  const actions = code.instructions.map((instruction): Action => {
    const { index, guard, line, column, opcode } = instruction;
    try {
      const own = withWholeWarp(instruction, actionOf(instruction, slots));
      const action = withEarlier(instruction, slots, own);
      kinds[index] = ActionKind[action.kind];
      guards[index] = guard === null ? -1 : guard.register;
      isNegated[index] = guard?.negated === true ? 1 : 0;
      return action;
    } catch (error) {
      if (error instanceof OperandError)
        throw new PtxError(`${error.message}: ${opcode}`, file, line, column);
      throw error;
    }
  });
  for (const { name } of slots.specials) {
    if (SPECIAL_REGISTERS[name] === undefined && !isUnsaid(name))
      throw new PtxError(`the special register ${name} is not known`, file, code.line, 1);
  }
  // Summaries of loops have registers of their own.
  const parts = partsOf(code, kinds, slots);
  const regions = new Map<number, Region>();
  const program: Program = {
    code,
    slice: slots.slice,
    registers: slots.count,
    constants: slots.constants,
    symbols: slots.symbols,
    specials: slots.specials,
    actions,
    kinds,
    guards,
    isNegated,
    isPickable: Uint8Array.from(code.instructions, (each) => (isPickable(each, kinds) ? 1 : 0)),
    collective: Uint8Array.from(code.instructions, (each) => (isCollective(each) ? 1 : 0)),
    ofWarp: Uint8Array.from(code.instructions, (each) => (isOfWarp(each) ? 1 : 0)),
    meetingPoints: meetingPoints(code),
    addressIn: (operand) => address(operand, slots),
    bitsOf: (register) => slots.bitsOf(register),
    provenance: new Provenance(code),
    destinations: code.instructions.map(destinationsOf),
    registerUses: registerUses(code),
    sharedReads: code.instructions.map((each) => sharedReadOf(each, slots)),
    arrivals: code.instructions.map((each) => arrivalOf(each, slots)),
    ...parts,
    localStores: code.instructions.map((each) => localStoreOf(each, slots)),
    regionOf: (branch) => {
      let region = regions.get(branch.index);
      if (region === undefined) regions.set(branch.index, (region = regionOf(program, branch)));
      return region;
    },
  };
  return program;
}
