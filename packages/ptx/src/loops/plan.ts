// What each instruction reads and writes, and how it passes on what is not the same in all rounds.
import { readsOf } from '../flow/liveness.ts';
import { isUnsaid } from '../exec/machine/special-registers.ts';
import type { Access, Copy, Effect, Space } from '../isa/effect.ts';
import { accessSpace, isExchange, isPhaseWait, operationOf, usesCarry } from '../isa/questions.ts';
import type { Instruction, Operand } from '../text/module.ts';
import { ActionKind } from '../exec/warp/program.ts';
import type { Program } from '../exec/warp/program.ts';
import { ANY, slope } from './reach.ts';
import { ofKnown, transferOf } from './transfers.ts';
import type { Input, Transfer } from './transfers.ts';

/** An input: a register, perhaps a predicate that is turned around, or a number. */
export type Source =
  | { readonly register: number; readonly isNegated: boolean }
  | { readonly register: -1; readonly input: Input };

/** One result of an instruction. */
export interface Result {
  readonly register: number;
  readonly sources: readonly Source[];
  /** `null`: nothing is known of it where an input is shaded. */
  readonly transfer: Transfer | null;
}

/** What an instruction is to the shades. */
export type Role =
  /** Its results follow from its inputs. */
  | 'compute'
  | 'load'
  | 'store'
  | 'atomic'
  | 'try'
  /** An arrival at an mbarrier, which may give its state. */
  | 'arrive'
  /** It exchanges values of lanes, each of which passes on its own. */
  | 'shuffle'
  /** Its results are data, whatever its inputs are. */
  | 'data'
  | 'branch'
  | 'table'
  | 'other';

/** How one instruction passes on shades. */
export interface InstructionPlan {
  readonly role: Role;
  /** All registers that it reads, without its guard. */
  readonly reads: readonly number[];
  /** Those that may not be shaded, because others observe what follows from them. */
  readonly strict: readonly number[];
  /** Those that say where in global memory it reads or writes; none if it does neither. */
  readonly places: readonly number[];
  readonly destinations: readonly number[];
  readonly results: readonly Result[];
  readonly guard: number;
  readonly isVisible: boolean;
  /** Whether lanes join there, or need one another. */
  readonly isJoint: boolean;
  /** Whether its results are others each time, whatever it reads. */
  readonly isFresh: boolean;
  readonly usesCarry: boolean;
  readonly space: Space;
}

/** Registers of an operand: of an address the base alone, and no coordinates. */
function registersOf(operand: Operand | undefined): number[] {
  switch (operand?.kind) {
    case 'register':
      return [operand.register];
    case 'not':
      return registersOf(operand.operand);
    case 'address':
      return registersOf(operand.base);
    case 'vector':
    case 'list':
      return operand.elements.flatMap((each) => registersOf(each));
    case 'pair':
      return [...registersOf(operand.first), ...registersOf(operand.second)];
    case 'immediate':
    case 'symbol':
    case 'special':
    case 'sink':
    case undefined:
      return [];
  }
}

/** A source that is a register or a number; `null` where it is neither. */
function sourceOf(operand: Operand | undefined): Source | null {
  if (operand?.kind === 'register') return { register: operand.register, isNegated: false };
  if (operand?.kind === 'not' && operand.operand.kind === 'register')
    return { register: operand.operand.register, isNegated: true };
  if (operand?.kind !== 'immediate') return null;
  const { low, high } = operand.value;
  return { register: -1, input: { low, high, isKnown: true, shade: null } };
}

const HALF = 2 ** 32;

/** The parts of `mov.b64 {low, high}, x`. */
const LOW_HALF = ofKnown(([a]) => {
  const { shade } = a!;
  return shade === null || shade === ANY ? shade : slope(shade.t, shade.m, 32);
});
/** `mov.b64 x, {low, high}` with a high half that does not change. */
const JOINED = ofKnown(([low, high], { reach, part }) => {
  if (high!.shade !== null || low!.shade === ANY) return ANY;
  return reach.within(low!.low, low!.shade, 0, HALF - 1, part) ? low!.shade : ANY;
});

function resultsOf(instruction: Instruction, bitsOf: (register: number) => number): Result[] {
  const { effect } = instruction;
  const [to, ...inputs] = instruction.operands;
  const operation = operationOf(instruction);
  const sources = inputs.map(sourceOf);
  const areSimple = sources.every((source) => source !== null);
  const result = (register: number, transfer: Transfer | null): Result => ({
    register,
    sources: areSimple ? sources : [],
    transfer: areSimple ? transfer : null,
  });
  if (to?.kind === 'register' && operation === 'mov' && inputs[0]?.kind === 'vector') {
    const elements = inputs[0].elements.map(sourceOf);
    const isPair = elements.length === 2 && bitsOf(to.register) === 64 && elements.every(Boolean);
    if (!isPair) return [{ register: to.register, sources: [], transfer: null }];
    return [{ register: to.register, sources: elements as Source[], transfer: JOINED }];
  }
  if (to?.kind === 'register')
    return [result(to.register, transferOf(effect, bitsOf(to.register)))];
  if (to?.kind === 'pair' && operation === 'setp')
    return registersOf(to).map((each) => result(each, transferOf(effect, 1)));
  if (to?.kind === 'vector' && effect.kind === 'compute' && operation === 'mov') {
    const isPair = to.elements.length === 2 && effect.types[0]?.name === 'b64';
    return to.elements.flatMap((element, index) =>
      registersOf(element).map((each) => result(each, isPair && index === 0 ? LOW_HALF : null)),
    );
  }
  return registersOf(to).map((each) => ({ register: each, sources: [], transfer: null }));
}

function roleOf({ effect }: Instruction, kind: number): Role {
  if (kind === ActionKind.branch) return 'branch';
  if (kind === ActionKind.table) return 'table';
  const role = roleOfEffect(effect);
  return role ?? (kind === ActionKind.silent ? 'compute' : 'other');
}

/** The role that an effect has; `null` where it is that of a computation, or none of its own. */
function roleOfEffect(effect: Effect): Role | null {
  switch (effect.kind) {
    case 'access':
      if (effect.isMultimem || effect.op === 'discard') return null;
      return effect.op === 'reduction' ? 'atomic' : effect.op;
    case 'mbarrier':
      if (effect.op === 'try' || effect.op === 'test') return 'try';
      return effect.op === 'arrive' || effect.op === 'arrive drop' ? 'arrive' : null;
    case 'lanes':
      return effect.op === 'shuffle' ? 'shuffle' : null;
    case 'matrix':
      return effect.op === 'load' ? 'data' : null;
    case 'warp matrix':
      return effect.isWmma ? 'data' : null;
    case 'wgmma':
      return 'data';
    case 'group':
      return effect.unit === 'wgmma' ? 'data' : null;
    case 'tcgen05':
      return effect.op === 'load' || effect.op === 'wait load' || effect.op === 'wait store'
        ? 'data'
        : null;
    case 'copy':
    case 'prefetch':
    case 'barrier':
    case 'fence':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return null;
  }
}

/** The registers of some operands. */
function inOperands(operands: readonly Operand[]): number[] {
  return operands.flatMap((operand) => registersOf(operand));
}

/** All registers that an instruction reads beside its guard. */
function inInputs(instruction: Instruction): readonly number[] {
  return readsOf({ ...instruction, guard: null });
}

/** The registers of a visible instruction from which others may observe something. */
function strictOf(instruction: Instruction): readonly number[] {
  const { effect, operands } = instruction;
  switch (effect.kind) {
    case 'access':
      return effect.isMultimem ? inInputs(instruction) : strictOfAccess(instruction, effect);
    case 'copy':
      return strictOfCopy(instruction, effect);
    case 'prefetch':
      return effect.isTensor ? exceptCoordinates(operands) : inInputs(instruction);
    case 'matrix':
      return effect.op === 'store' ? registersOf(operands[0]) : inInputs(instruction);
    case 'barrier':
      return effect.op === 'reduce' ? inOperands(operands.slice(1, -1)) : inInputs(instruction);
    case 'mbarrier':
      return isPhaseWait(instruction) ? registersOf(operands[1]) : inInputs(instruction);
    case 'wgmma':
      return inOperands(operands.slice(1));
    case 'tcgen05':
      return effect.op === 'store' ? registersOf(operands[0]) : inInputs(instruction);
    case 'warp matrix':
    case 'group':
    case 'fence':
    case 'lanes':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return inInputs(instruction);
  }
}

/** Of a generic address it is looked at in which space it lies. */
function strictOfAccess(instruction: Instruction, { op, space }: Access): readonly number[] {
  const { operands } = instruction;
  switch (op) {
    case 'load':
    case 'store':
      return [];
    case 'atomic':
    case 'reduction':
      return space === 'global' ? [] : inOperands(operands.slice(op === 'atomic' ? 1 : 0));
    case 'discard':
      return inInputs(instruction);
  }
}

/** All but where in global memory a copy reads or writes. */
function strictOfCopy(instruction: Instruction, effect: Copy): readonly number[] {
  const { operands, roles } = instruction;
  if (effect.isMultimem) return inInputs(instruction);
  switch (effect.op) {
    case 'tensor':
      return exceptCoordinates(operands);
    case 'bulk': {
      const free = effect.from === 'global' ? roles.from : roles.to;
      const isFree = effect.from === 'global' || effect.to === 'global';
      return inOperands(operands.filter((_, at) => !isFree || at !== free));
    }
    case 'thread':
      return [operands[0], operands[2]].flatMap((operand) => registersOf(operand));
    case 'store':
    case 'zeros':
      return inInputs(instruction);
  }
}

function exceptCoordinates(operands: readonly Operand[]): readonly number[] {
  return inOperands(operands.filter(({ kind }) => kind !== 'vector'));
}

/** Registers from which follows where an instruction touches global memory. */
function placesOf(instruction: Instruction): readonly number[] {
  const { effect, operands } = instruction;
  if (effect.kind !== 'access') return inInputs(instruction);
  return inOperands(operands.filter(({ kind }) => kind === 'address'));
}

/** The mask of the lanes that join in an exchange. */
function membersOf({ operands, roles }: Instruction): number[] {
  return registersOf(operands[roles.members ?? -1]);
}

/** How each instruction of a program passes on shades. */
export function plansOf(program: Program): InstructionPlan[] {
  const { code, kinds, guards, bitsOf, destinations } = program;
  return code.instructions.map((instruction, index) => {
    const kind = kinds[index]!;
    const isVisible = kind === ActionKind.visible;
    const guard = guards[index]!;
    const role = roleOf(instruction, kind);
    return {
      role,
      reads: readsOf(instruction).filter((each) => each !== guard || usesTwice(instruction, each)),
      strict: isVisible ? strictOf(instruction) : membersOf(instruction),
      places: program.isTouching[index] === 1 ? placesOf(instruction) : [],
      isJoint: program.collective[index] === 1 || isExchange(instruction),
      destinations: destinations[index]!,
      results: role === 'compute' ? resultsOf(instruction, bitsOf) : [],
      guard,
      isVisible,
      isFresh: instruction.operands.some((each) => each.kind === 'special' && isUnsaid(each.name)),
      usesCarry: usesCarry(instruction),
      space: accessSpace(instruction) ?? 'generic',
    };
  });
}

/** Whether an instruction reads a register beside its guard. */
function usesTwice(instruction: Instruction, register: number): boolean {
  return readsOf({ ...instruction, guard: null }).includes(register);
}
