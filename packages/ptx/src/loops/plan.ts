// What each instruction reads and writes, and how it passes on what is not the same in all rounds.
import { readsOf } from '../flow/liveness.ts';
import { isExchange } from '../exec/warp/quiet-region.ts';
import { CLOCKS } from '../exec/machine/special-registers.ts';
import type { Instruction, Operand } from '../text/module.ts';
import { usesCarry } from '../exec/warp/carry.ts';
import { spaceOf } from '../exec/warp/access-form.ts';
import type { Space } from '../exec/warp/access-form.ts';
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
  const { parts, operands } = instruction;
  const [to, ...inputs] = operands;
  const sources = inputs.map(sourceOf);
  const areSimple = sources.every((source) => source !== null);
  const result = (register: number, transfer: Transfer | null): Result => ({
    register,
    sources: areSimple ? sources : [],
    transfer: areSimple ? transfer : null,
  });
  if (to?.kind === 'register' && parts[0] === 'mov' && inputs[0]?.kind === 'vector') {
    const elements = inputs[0].elements.map(sourceOf);
    const isPair = elements.length === 2 && bitsOf(to.register) === 64 && elements.every(Boolean);
    if (!isPair) return [{ register: to.register, sources: [], transfer: null }];
    return [{ register: to.register, sources: elements as Source[], transfer: JOINED }];
  }
  if (to?.kind === 'register') return [result(to.register, transferOf(parts, bitsOf(to.register)))];
  if (to?.kind === 'pair' && parts[0] === 'setp')
    return registersOf(to).map((each) => result(each, transferOf(parts, 1)));
  if (to?.kind === 'vector' && parts[0] === 'mov') {
    const isPair = to.elements.length === 2 && parts[1] === 'b64';
    return to.elements.flatMap((element, index) =>
      registersOf(element).map((each) => result(each, isPair && index === 0 ? LOW_HALF : null)),
    );
  }
  return registersOf(to).map((each) => ({ register: each, sources: [], transfer: null }));
}

/** Visible instructions whose results are data. */
const DATA = /^(ldmatrix|wgmma|wmma|tcgen05\.ld|tcgen05\.wait)/;

function roleOf({ parts, opcode }: Instruction, kind: number): Role {
  const [name] = parts as [string];
  if (kind === ActionKind.branch) return 'branch';
  if (kind === ActionKind.table) return 'table';
  if (name === 'ld' || name === 'ldu') return 'load';
  if (name === 'st' && parts[1] !== 'async' && parts[1] !== 'bulk') return 'store';
  if ((name === 'atom' || name === 'red') && parts[1] !== 'async') return 'atomic';
  if (name === 'mbarrier' && /^(try|test)_wait$/.test(parts[1]!)) return 'try';
  if (name === 'mbarrier' && parts[1]!.startsWith('arrive')) return 'arrive';
  if (name === 'shfl') return 'shuffle';
  if (DATA.test(opcode)) return 'data';
  return kind === ActionKind.silent ? 'compute' : 'other';
}

/** The registers of some operands. */
function inOperands(operands: readonly Operand[]): number[] {
  return operands.flatMap((operand) => registersOf(operand));
}

/** All registers that an instruction reads beside its guard. */
function inInputs(instruction: Instruction): readonly number[] {
  return readsOf({ ...instruction, guard: null });
}

/** By mnemonic: the registers of a visible instruction from which others may observe something. */
const STRICT: Readonly<
  Record<string, (instruction: Instruction, space: Space) => readonly number[]>
> = {
  cp: strictOfCopy,
  // Of a generic address it is looked at in which space it lies.
  st: (instruction) => (/^(async|bulk)$/.test(instruction.parts[1]!) ? inInputs(instruction) : []),
  ld: () => [],
  ldu: () => [],
  stmatrix: ({ operands }) => registersOf(operands[0]),
  atom: ({ operands }, space) => (space === 'global' ? [] : inOperands(operands.slice(1))),
  red: ({ operands }, space) => (space === 'global' ? [] : inOperands(operands)),
  bar: strictOfBarrier,
  barrier: strictOfBarrier,
  mbarrier: (instruction) =>
    /^(try|test)_wait$/.test(instruction.parts[1]!)
      ? registersOf(instruction.operands[1])
      : inInputs(instruction),
  wgmma: ({ operands }) => inOperands(operands.slice(1)),
  tcgen05: (instruction) =>
    instruction.parts[1] === 'st' ? registersOf(instruction.operands[0]) : inInputs(instruction),
};

function strictOfCopy(instruction: Instruction): readonly number[] {
  const { parts, operands, opcode } = instruction;
  // Coordinates say where in global memory a copy reads or writes.
  if (parts.includes('tensor')) return inOperands(operands.filter(({ kind }) => kind !== 'vector'));
  if (parts.includes('bulk') && operands.length > 1) {
    const isFromGlobal = /shared::c[a-z]+\.global/.test(opcode);
    const isToGlobal = /bulk\.global\./.test(opcode);
    const free = isFromGlobal ? 1 : isToGlobal ? 0 : -1;
    return inOperands(operands.filter((_, at) => at !== free));
  }
  if (parts[1] === 'async' && parts.includes('global'))
    return [operands[0], operands[2]].flatMap((operand) => registersOf(operand));
  return inInputs(instruction);
}

function strictOfBarrier(instruction: Instruction): readonly number[] {
  const { parts, operands } = instruction;
  return parts.includes('red') ? inOperands(operands.slice(1, -1)) : inInputs(instruction);
}

/** The mask of the lanes that join in an exchange: its last operand. */
function membersOf(instruction: Instruction): number[] {
  return isExchange(instruction) ? registersOf(instruction.operands.at(-1)) : [];
}

/** How each instruction of a program passes on shades. */
export function plansOf(program: Program): InstructionPlan[] {
  const { code, kinds, guards, bitsOf, destinations } = program;
  return code.instructions.map((instruction, index) => {
    const kind = kinds[index]!;
    const isVisible = kind === ActionKind.visible;
    const guard = guards[index]!;
    const space = spaceOf(instruction.parts);
    const role = roleOf(instruction, kind);
    const strictOf = STRICT[instruction.parts[0]!] ?? inInputs;
    return {
      role,
      reads: readsOf(instruction).filter((each) => each !== guard || usesTwice(instruction, each)),
      strict: isVisible ? strictOf(instruction, space) : membersOf(instruction),
      isJoint: program.collective[index] === 1 || isExchange(instruction),
      destinations: destinations[index]!,
      results: role === 'compute' ? resultsOf(instruction, bitsOf) : [],
      guard,
      isVisible,
      isFresh: instruction.operands.some(
        (each) => each.kind === 'special' && CLOCKS.has(each.name),
      ),
      usesCarry: usesCarry(instruction),
      space,
    };
  });
}

/** Whether an instruction reads a register beside its guard. */
function usesTwice(instruction: Instruction, register: number): boolean {
  return readsOf({ ...instruction, guard: null }).includes(register);
}
