// Loops of one run of instructions whose counters grow by the same number in each round.
import type { Compute } from '../../isa/effect.ts';
import { usesCarry } from '../../isa/questions.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Instruction, Operand, PtxFunction } from '../../text/module.ts';
import { seedOf } from '../../values/terms.ts';
import { add, set } from '../../values/wide.ts';
import { isUnsaid } from '../machine/special-registers.ts';
import type { Touching } from '../footprints/touching.ts';
import { elementwise } from './elementwise.ts';
import type { Silent } from './elementwise.ts';
import { isPacked } from './form.ts';
import { isCollective, isOfWarp } from './joins.ts';
import { ActionKind } from './program.ts';
import type { Slots } from './slots.ts';

/** A computation of a loop that something needs. */
export interface Computation {
  readonly at: number;
  readonly effect: Compute;
  readonly destinations: readonly number[];
  /** The registers of its inputs; `null` for inputs that are no plain numbers. */
  readonly sources: readonly number[] | null;
}

/** A register to which each round adds the same number. */
export interface Counter {
  readonly register: number;
  /** The instruction that writes it. */
  readonly at: number;
  readonly bits: 32 | 64;
  /** The registers that are added, none of which the loop writes, and how often. */
  readonly terms: readonly (readonly [register: number, sign: 1 | -1])[];
  /** Adds what `distance` holds. */
  readonly advance: Silent;
  readonly distance: number;
}

/** What ends a loop: a comparison of integers. */
export interface LoopTest {
  readonly at: number;
  readonly comparison: NonNullable<Compute['comparison']>;
  readonly type: ScalarType;
  readonly sources: readonly [number, number];
}

/** A loop without branches but the last one, which leads back to its first instruction. */
export interface CountedLoop {
  readonly computations: readonly Computation[];
  readonly counters: readonly Counter[];
  readonly accesses: readonly Touching[];
  readonly test: LoopTest;
}

/** What loops are made of. */
interface Parts {
  readonly code: PtxFunction;
  readonly kinds: Uint8Array;
  readonly touchings: readonly (Touching | null)[];
  readonly liveBefore: (at: number) => Uint32Array;
}

/** How a register follows from one that the round began with: it, and what is added. */
interface Sum {
  readonly root: number;
  readonly terms: Counter['terms'];
}

/** The loops of a kernel whose rounds may be passed over, by the branch at their end. */
export function countedLoops(parts: Parts, slots: Slots): ReadonlyMap<number, CountedLoop> {
  const found = new Map<number, CountedLoop>();
  const isShared = slots.isGrid || slots.isCompared || slots.isFollowing;
  if (slots.slice === null || isShared || slots.isUnrolled) return found;
  for (const branch of parts.code.instructions) {
    if (parts.kinds[branch.index] !== ActionKind.branch || branch.guard === null) continue;
    if (branch.targets[0]! > branch.index) continue;
    const loop = loopOf(parts, slots, branch);
    if (loop !== null) found.set(branch.index, loop);
  }
  return found;
}

function loopOf(parts: Parts, slots: Slots, branch: Instruction): CountedLoop | null {
  const { code, touchings, liveBefore } = parts;
  const first = branch.targets[0]!;
  const body = code.instructions.slice(first, branch.index);
  if (!body.every((each) => isPlain(each, parts, slots))) return null;
  const needed = body.filter((each) => each.effect.kind === 'compute' && isNeeded(each, slots));
  const computations = needed.map((each) => computationOf(each, slots));
  const writers = new Map<number, Computation>();
  for (const each of computations)
    for (const register of each.destinations) {
      if (writers.has(register)) return null;
      writers.set(register, each);
    }
  const test = testOf(writers.get(branch.guard!.register));
  if (test === null) return null;
  const sums = sumsOf(computations, writers, slots);
  const live = liveBefore(first);
  const counters: Counter[] = [];
  for (const [register, { at }] of writers) {
    if (((live[register >> 5]! >>> (register & 31)) & 1) === 0) continue;
    const sum = sums.get(register);
    const bits = slots.bitsOf(register);
    if (sum?.root !== register || (bits !== 32 && bits !== 64)) return null;
    counters.push({ register, at, bits, terms: sum.terms, ...advanceOf(register, bits, slots) });
  }
  // What is read before it is written is what the round began with.
  const held = new Set(counters.map(({ register }) => register));
  const isEarly = ({ at, sources }: Computation): boolean =>
    sources?.some((each) => !held.has(each) && (writers.get(each)?.at ?? -1) >= at) === true;
  if (computations.some(isEarly)) return null;
  const accesses = body.flatMap(({ index }) => touchings[index] ?? []);
  const isBase = ({ index, registers: [base] }: Touching): boolean =>
    held.has(base!) || (writers.get(base!)?.at ?? -1) < index;
  if (!accesses.every(isBase)) return null;
  return { computations, counters, accesses, test };
}

/** Whether an instruction computes, or accesses global memory for data that decides nothing. */
function isPlain(instruction: Instruction, { kinds, touchings }: Parts, slots: Slots) {
  const { index, guard, effect, unmodeled, operands } = instruction;
  if (kinds[index] !== ActionKind.silent || guard !== null || unmodeled !== null) return false;
  if (isCollective(instruction) || isOfWarp(instruction) || usesCarry(instruction)) return false;
  if (operands.some(isVarying)) return false;
  if (effect.kind === 'compute') return true;
  if (effect.kind !== 'access' || effect.space !== 'global') return false;
  const isOfData =
    effect.op === 'load'
      ? slots.slice!.isData(instruction)
      : effect.op === 'store' && slots.slice!.leavesOut(instruction);
  return isOfData && touchings[index]?.effect.kind === 'plain';
}

/** Whether an operand is another number each time that it is read. */
function isVarying(operand: Operand): boolean {
  return operand.kind === 'special' && isUnsaid(operand.name);
}

function isNeeded(instruction: Instruction, { slice }: Slots): boolean {
  return !slice!.isIdle(instruction);
}

function computationOf(instruction: Instruction, slots: Slots): Computation {
  const { index, operands } = instruction;
  const effect = instruction.effect as Compute;
  const inputs = operands.slice(1);
  const isNumber = ({ kind }: Operand): boolean =>
    kind === 'register' || kind === 'immediate' || kind === 'special' || kind === 'symbol';
  const areNumbers = operands[0]?.kind === 'register' && inputs.every(isNumber);
  const sources = areNumbers ? inputs.map((each) => slots.source(each)) : null;
  return { at: index, effect, destinations: destinationsOf(instruction), sources };
}

/** The comparison that a computation is; `null`: it is none of integers. */
function testOf(computation: Computation | undefined): LoopTest | null {
  if (computation === undefined) return null;
  const { at, effect, sources, destinations } = computation;
  const { operation, comparison, types } = effect;
  const type = types.at(-1);
  if (operation !== 'setp' || comparison === null || type === undefined) return null;
  if (type.class === 'float' || isPacked(type) || type.bits < 32) return null;
  if (sources?.length !== 2 || destinations.length !== 1) return null;
  return { at, comparison, type, sources: [sources[0]!, sources[1]!] };
}

/** Registers as sums of what the round began with and of what the loop does not write. */
function sumsOf(
  computations: readonly Computation[],
  writers: ReadonlyMap<number, Computation>,
  slots: Slots,
): ReadonlyMap<number, Sum | null> {
  const sums = new Map<number, Sum | null>();
  const isFixed = (register: number | undefined): register is number =>
    register !== undefined && !writers.has(register);
  const sumOf = ({ effect, sources }: Computation, to: number): Sum | null => {
    const [a, b] = sources ?? [];
    if (a === undefined || !isWholeSum(effect, slots.bitsOf(to))) return null;
    const root = effect.operation !== 'add' || isFixed(b) ? a : b!;
    const own = sums.has(root) ? sums.get(root)! : { root, terms: [] };
    if (own === null || effect.operation === 'mov') return own;
    const term = root === a ? b : a;
    const sign = effect.operation === 'sub' ? -1 : 1;
    return isFixed(term) ? { root: own.root, terms: [...own.terms, [term, sign]] } : null;
  };
  for (const each of computations)
    for (const to of each.destinations) sums.set(to, sumOf(each, to));
  return sums;
}

/** Whether a computation is a sum, a difference or a copy of all bits of a register. */
function isWholeSum({ operation, types, modifiers }: Compute, bits: number): boolean {
  const type = types.at(-1);
  if (type === undefined || type.class === 'float' || isPacked(type) || type.bits !== bits)
    return false;
  if (operation === 'mov') return true;
  return (operation === 'add' || operation === 'sub') && !modifiers.has('sat');
}

/** Registers that an instruction reads, by which a counter advances several rounds at once. */
function advanceOf(
  register: number,
  bits: 32 | 64,
  slots: Slots,
): Pick<Counter, 'advance' | 'distance'> {
  const distance = slots.temporary();
  const { zero } = slots;
  const advance = elementwise({
    destination: register,
    bits,
    sources: [register, distance, zero, zero],
    seed: seedOf('counter'),
    adds: 1,
    compute: bits === 64 ? add : (out, aLow, _aHigh, bLow) => set(out, aLow + bLow, 0),
    kind: {
      rule: 'add',
      onAddresses: bits === 64 ? 'sum' : 'same',
      inputBits: bits,
      resultBits: bits,
      shift: 0,
      comparison: null,
    },
  });
  return { advance, distance };
}
