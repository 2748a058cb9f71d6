// How long instructions of PTX take a warp: an estimate, since ptxas fuses, moves and deletes them.
import { destinationsOf } from '../flow/destinations.ts';
import { readsOf } from '../flow/liveness.ts';
import type { TimedLowering } from '../lower/warp-scope.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';
import type { Effect } from '../isa/effect.ts';
import { operationOf } from '../isa/questions.ts';
import { FREE, isFloat, readsClock, timeOf } from './instruction-prices.ts';
import { multiplyingCyclesOf } from './product-cycles.ts';
import { demandOf } from './issue-demand.ts';
import type { Demand } from './issue-demand.ts';

/** What the instructions of a warp cost, in cycles of its SM: prices of a GPU model. */
export interface InstructionCosts extends TimedLowering {
  /** From an integer or 32-bit floating-point result to an instruction that reads it. */
  readonly aluCycles: number;
  /** The same for 64-bit floating point, and for pairs of 16 bits. */
  readonly doubleCycles: number;
  /** Of the special functions: exponential, logarithm, approximate reciprocal, bit counts. */
  readonly specialCycles: number;
  /** Of a conversion between integers and floating point. */
  readonly convertCycles: number;
  /** Of a division or a square root that is rounded as IEEE 754 says. */
  readonly divideCycles: number;
  /** Of a division of integers. */
  readonly integerDivideCycles: number;
  /** Of an exchange between the lanes of a warp: shuffles, and votes and reductions. */
  readonly shuffleCycles: number;
  readonly voteCycles: number;
  readonly reduceCycles: number;
  /** Of `bar.warp.sync`, and of `elect.sync`. */
  readonly joinCycles: number;
  readonly electCycles: number;
  /** From a comparison to the branch that it decides. */
  readonly predicateCycles: number;
  /** From a branch that is taken to its target. */
  readonly branchCycles: number;
  /** From reading a clock to its value. */
  readonly clockCycles: number;
  /** From the operands of `mma.sync.m16n8k16` to its result, and between two of one warp. */
  readonly multiplyCycles: number;
  readonly multiplyIssueCycles: number;
  /** What the tensor core takes for each `wgmma` beyond its products. */
  readonly mmaOverheadCycles: number;
  /** Of issuing a load or a store, and from a load to its value. */
  readonly accessCycles: number;
  readonly sharedLoadCycles: number;
  readonly vectorLoadCycles: number;
  readonly remoteLoadCycles: number;
  readonly globalLoadCycles: number;
  readonly cachedLoadCycles: number;
  readonly sharedAtomicCycles: number;
  readonly matrixLoadCycles: number;
}

/** What an instruction does to the time of its warp. */
export interface InstructionTime {
  /** From its issue to that of the next instruction. */
  readonly issue: number;
  /** From its issue to its results. */
  readonly latency: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Whether its results are what it reads: ptxas gives both one register. */
  readonly isCopy: boolean;
  /** Whether a predicate that it reads has to be there earlier. */
  readonly isBranch: boolean;
  readonly isLoad: boolean;
  /** Whether it is a copy of a unit: of bytes in a row, or through a tensor map. */
  readonly isUnitCopy: boolean;
  /** Whether it computes integers, which ptxas has ready ahead, as far as a branch allows. */
  readonly isAhead: boolean;
  /** Whether it works on data: floating point, matrices, exchanges between lanes. */
  readonly isArithmetic: boolean;
  /** Whether others can observe it, other than in memory: nothing is moved across it. */
  readonly isOperation: boolean;
  /** Whether it comes after all loads before it: others may see that they are over. */
  readonly isSignal: boolean;
  /** Whether it has a price, or is an operation. */
  readonly isPriced: boolean;
  /** The bytes of global memory that it moves in each lane. */
  readonly globalBytes: number;
  /** Cycles in which it multiplies beside its warp. */
  readonly multiplying: number;
  /** What it takes of an SM where warps compete. */
  readonly demand: Demand;
}

/** Whether it works on data: floating point, matrices, exchanges between lanes. */
function isArithmetic(effect: Effect): boolean {
  if (effect.kind === 'compute') return effect.operation !== 'mov' && effect.types.some(isFloat);
  if (effect.kind === 'wgmma') return effect.types.some(isFloat);
  if (effect.kind === 'warp matrix') return !effect.isWmma || effect.types.some(isFloat);
  if (effect.kind === 'matrix') return effect.op === 'load';
  if (effect.kind === 'lanes') return effect.op === 'shuffle' || effect.op === 'reduce';
  if (effect.kind !== 'access' && effect.kind !== 'copy') return false;
  return effect.operation !== null && effect.type !== null && isFloat(effect.type);
}

/** Whether it computes addresses and counts, or which lane is elected, and reads no clock. */
function isOfIntegers({ effect, operands }: Instruction): boolean {
  if (effect.kind === 'lanes') return effect.op === 'elect';
  if (effect.kind !== 'compute' || readsClock(effect, operands)) return false;
  return !effect.types.some(isFloat);
}

/** Whether it shows others that earlier loads are over. */
function isSignal(effect: Effect): boolean {
  if (effect.kind === 'mbarrier') return effect.op === 'arrive' || effect.op === 'arrive drop';
  if (effect.kind === 'group') return effect.unit === 'bulk';
  if (effect.kind === 'control') return effect.op === 'return' || effect.op === 'exit';
  if (effect.kind === 'copy')
    return (effect.op === 'bulk' || effect.op === 'tensor') && effect.operation === null;
  return effect.kind === 'barrier' || effect.kind === 'fence' || effect.kind === 'prefetch';
}

/** Registers that hold a predicate as 0 or 1, as inline assembly hands it on. */
function flagsOf(code: PtxFunction): ReadonlySet<number> {
  const flags = new Set<number>();
  const others = new Set<number>();
  for (const instruction of code.instructions) {
    const isFlag =
      operationOf(instruction) === 'selp' &&
      isNumber(instruction, 1, 1) &&
      isNumber(instruction, 2, 0);
    for (const register of destinationsOf(instruction)) (isFlag ? flags : others).add(register);
  }
  for (const register of others) flags.delete(register);
  return flags;
}

function isNumber({ operands }: Instruction, index: number, value: number): boolean {
  const operand = operands[index];
  return operand?.kind === 'immediate' && operand.value.low === value && operand.value.high === 0;
}

/** Whether it makes a predicate of a flag, or a flag of a predicate: ptxas keeps the predicate. */
function isOfFlag(
  instruction: Instruction,
  writes: readonly number[],
  flags: ReadonlySet<number>,
): boolean {
  if (writes.some((register) => flags.has(register))) return true;
  const { effect, operands } = instruction;
  const isTest = effect.kind === 'compute' && effect.operation === 'setp';
  const first = operands[1];
  return (
    isTest &&
    effect.comparison === 'ne' &&
    isNumber(instruction, 2, 0) &&
    first?.kind === 'register' &&
    flags.has(first.register)
  );
}

/** The time of each instruction of a function. */
export function timesOf(code: PtxFunction, costs: InstructionCosts): readonly InstructionTime[] {
  const flags = flagsOf(code);
  return code.instructions.map((instruction): InstructionTime => {
    const { effect } = instruction;
    const writes = destinationsOf(instruction);
    const price = isOfFlag(instruction, writes, flags) ? FREE : timeOf(costs, instruction);
    const time = price === null || price === 'operation' ? FREE : price;
    return {
      ...time,
      reads: readsOf(instruction),
      writes,
      isCopy: time === FREE,
      isLoad: isTimedLoad(effect),
      isUnitCopy: effect.kind === 'copy' && (effect.op === 'bulk' || effect.op === 'tensor'),
      isAhead: time !== FREE && isOfIntegers(instruction),
      isArithmetic: isArithmetic(effect),
      isBranch: effect.kind === 'control' && (effect.op === 'branch' || effect.op === 'table'),
      isOperation: price === 'operation',
      isSignal: isSignal(effect),
      isPriced: price !== null,
      globalBytes: globalBytesOf(effect),
      multiplying: multiplyingCyclesOf(instruction),
      demand: demandOf(instruction, price === 'operation' ? null : time),
    };
  });
}

/** The bytes of global memory that a lane loads, stores or changes; no load of constants is one. */
function globalBytesOf(effect: Effect): number {
  if (effect.kind !== 'access' || effect.space !== 'global') return 0;
  return effect.op === 'discard' ? 0 : effect.bytes * effect.width;
}

function isTimedLoad(effect: Effect): boolean {
  if (effect.kind === 'matrix') return effect.op === 'load';
  if (effect.kind !== 'access' || effect.op !== 'load') return false;
  return !effect.isMultimem && effect.space !== 'param' && effect.space !== 'const';
}
