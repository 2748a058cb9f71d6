// How long instructions of PTX take a warp: an estimate, since ptxas fuses, moves and deletes them.
import { typeAt } from '../exec/warp/form.ts';
import { destinationsOf } from '../flow/destinations.ts';
import { readsOf } from '../flow/liveness.ts';
import type { TimedLowering } from '../lower/warp-scope.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

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
  /** Whether it works on data: floating point, matrices, exchanges between lanes. */
  readonly isArithmetic: boolean;
  /** Whether others can observe it, other than in memory: nothing is moved across it. */
  readonly isOperation: boolean;
  /** Whether it comes after all loads before it: others may see that they are over. */
  readonly isSignal: boolean;
}

type Timed = Pick<InstructionTime, 'issue' | 'latency'>;
type Rule = readonly [RegExp, (costs: InstructionCosts, instruction: Instruction) => Timed];

const FREE: Timed = { issue: 0, latency: 0 };
/** Warps issue an instruction every cycle; units of half a warp take two. */
const FULL = 1;
const HALF = 2;
const SIXTEENTH = 8;

const result = (issue: number, latency: number): Timed => ({ issue, latency });

/** Bytes that one lane loads or stores. */
function bytesOf({ parts }: Instruction): number {
  const count = parts.includes('v4') ? 4 : parts.includes('v2') ? 2 : 1;
  return (count * (typeAt(parts)?.bits ?? 32)) / 8;
}

/** A vector of a warp needs the memory for as many rounds as it has words. */
const WORD = 4;

function loadTime(latency: number, costs: InstructionCosts, instruction: Instruction): Timed {
  const words = Math.max(1, bytesOf(instruction) / WORD);
  const more = words > 2 ? costs.vectorLoadCycles - costs.sharedLoadCycles : 0;
  return result(costs.accessCycles, latency + more);
}

/** Floating-point operations of a 16-bit `mma.sync.m16n8k16`. */
const FLOPS = 16 * 8 * 16;

/** Times in proportion to the shape: `m16n8k8` takes half of the issue, and some of the latency. */
function multiplyTime(costs: InstructionCosts, { opcode }: Instruction): Timed {
  const shape = /m(\d+)n(\d+)k(\d+)/.exec(opcode);
  const [m, n, k] = shape === null ? [16, 8, 16] : shape.slice(1).map(Number);
  const share = (m! * n! * k!) / FLOPS;
  const narrow = /\.(?:[su]8|e4m3|e5m2)/.test(opcode) ? 2 : /\.tf32/.test(opcode) ? 1 / 2 : 1;
  const issue = (costs.multiplyIssueCycles * share) / narrow;
  return result(issue, costs.multiplyCycles - costs.multiplyIssueCycles + issue);
}

/** Opcodes that begin with one of some words. */
function startsWith(words: string): RegExp {
  const all = words.split(/\s+/).map((word) => word.replaceAll('.', '\\.'));
  return new RegExp(`^(?:${all.join('|')})\\b`);
}

/** One instruction of the unit for special functions, perhaps with others beside it. */
const SPECIAL = startsWith(`ex2 lg2 sin cos tanh popc clz bfind brev div.approx div.full
  sqrt.approx rcp.approx rsqrt.approx`);
/** One instruction for integers or 32-bit floating point. */
const SIMPLE = startsWith(`add sub mul mul24 mad mad24 madc addc subc fma neg abs min max and or xor
  not cnot lop3 shl shr shf prmt bfe bfi bmsk szext sad dp2a dp4a setp set selp slct testp copysign
  isspacep vadd vsub vmin vmax fns`);

/** The first rule whose pattern an opcode has says what it takes. */
const RULES: readonly Rule[] = [
  [/^mov\.\w+$/, (costs, one) => (readsClock(one) ? result(HALF, costs.clockCycles) : FREE)],
  [/^(?:cvta|ld\.param|ld\.const|mapa)\b/, () => FREE],
  [/^cvt\.(?:[usb]\d+)\.(?:[usb]\d+)$/, () => FREE],
  [
    /^cvt\.(?:r[nz]\.)?(?:relu\.|satfinite\.)?(?:bf16|f16|tf32|e4m3|e5m2)/,
    (c) => result(HALF, c.aluCycles),
  ],
  [/^cvt\.f32\.(?:bf16|f16)$/, (costs) => result(HALF, costs.aluCycles)],
  [/^cvt\b/, (costs) => result(SIXTEENTH, costs.convertCycles)],
  [/^(?:div|rem)\.(?:[us]\d+)$/, (c) => result(c.integerDivideCycles / 2, c.integerDivideCycles)],
  [SPECIAL, (costs) => result(SIXTEENTH, costs.specialCycles)],
  [/^(?:div|rcp|sqrt|rsqrt)\b/, (costs) => result(costs.divideCycles / 2, costs.divideCycles)],
  [/^redux\b/, (costs) => result(HALF, costs.reduceCycles)],
  [/^(?:shfl)\b/, (costs) => result(HALF, costs.shuffleCycles)],
  [/^(?:vote|match|activemask)\b/, (costs) => result(HALF, costs.voteCycles)],
  [/^bar\.warp\.sync\b/, (costs) => result(costs.joinCycles, 0)],
  [/^elect\b/, (costs) => result(HALF, costs.electCycles)],
  [
    /^ldmatrix\b/,
    (costs, one) => result(/x4/.test(one.opcode) ? 2 * HALF : HALF, costs.matrixLoadCycles),
  ],
  [/^stmatrix\b/, (costs) => result(SIXTEENTH, costs.accessCycles)],
  [/^(?:mma|wmma\.mma)\b/, multiplyTime],
  [/^ld\b.*shared::cluster/, (costs, one) => loadTime(costs.remoteLoadCycles, costs, one)],
  [/^ld\b.*\.shared\b/, (costs, one) => loadTime(costs.sharedLoadCycles, costs, one)],
  [/^(?:ld|st)\.local\b/, (costs) => result(costs.accessCycles, costs.cachedLoadCycles)],
  [/^ldu?\b/, (costs, one) => loadTime(costs.globalLoadCycles, costs, one)],
  [/^atom\b.*\.shared\b/, (costs) => result(HALF, costs.sharedAtomicCycles)],
  [/^atom\b/, (costs) => result(HALF, costs.globalLoadCycles)],
  [/^(?:st|red)\b/, (costs) => result(costs.accessCycles, 0)],
  [/^(?:\w+\.)+f64\b/, (costs) => result(HALF, costs.doubleCycles)],
  [/\.(?:f16x2|bf16x2|f16|bf16)\b/, (costs) => result(HALF, costs.doubleCycles)],
  [/^(?:add|sub|mul|fma|mad)\b.*\.f32\b/, (costs) => result(FULL, costs.aluCycles)],
  [
    /^(?:add|sub|mul|mad|min|max|shl|shr|setp)\b.*\.[usb]64\b/,
    (costs) => result(2 * HALF, costs.aluCycles + FULL),
  ],
  [SIMPLE, (costs) => result(HALF, costs.aluCycles)],
  [/^(?:bra|brx)\b/, () => result(FULL, 0)],
];

/** Instructions whose time the model has as that of an operation, or that take none. */
const OF_OPERATIONS =
  startsWith(`mbarrier bar barrier cp wgmma tcgen05 fence membar st.async red.async setmaxnreg
    clusterlaunchcontrol griddepcontrol tensormap multimem prefetch discard applypriority
    createpolicy nanosleep pragma alloca stacksave stackrestore call ret exit trap`);

/** Operations that show others that earlier loads are over. */
const SIGNALS = /^(?:mbarrier\.arrive|bar\.(?!warp)|barrier|fence|membar|cp\.async\.bulk|ret|exit)/;

const ARITHMETIC = /^(?:mma|ldmatrix|shfl|redux|(?!mov|ld|st|cvta)\w+\b.*\.(?:f\d+|bf16)(?:x2)?\b)/;
const LOADS = /^(?:ldu?\.(?!param|const)|ldmatrix)/;

function readsClock({ operands }: Instruction): boolean {
  const [, from] = operands;
  return from?.kind === 'special' && /^%(?:clock|globaltimer)/.test(from.name);
}

/** Registers that hold a predicate as 0 or 1, as inline assembly hands it on. */
function flagsOf(code: PtxFunction): ReadonlySet<number> {
  const flags = new Set<number>();
  const others = new Set<number>();
  for (const instruction of code.instructions) {
    const isFlag =
      /^selp\b/.test(instruction.opcode) &&
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

/** The time of each instruction of a function, and the opcodes that no rule has. */
export function timesOf(
  code: PtxFunction,
  costs: InstructionCosts,
): { readonly times: readonly InstructionTime[]; readonly unknown: ReadonlySet<string> } {
  const flags = flagsOf(code);
  const unknown = new Set<string>();
  const times = code.instructions.map((instruction): InstructionTime => {
    const { opcode, operands } = instruction;
    const reads = readsOf(instruction);
    const writes = destinationsOf(instruction);
    const isSignal = SIGNALS.test(opcode);
    const isBranch = /^(?:bra|brx)\b/.test(opcode);
    const first = operands[1];
    const isOfFlag =
      (/^setp\.ne\b/.test(opcode) &&
        isNumber(instruction, 2, 0) &&
        first?.kind === 'register' &&
        flags.has(first.register)) ||
      writes.some((register) => flags.has(register));
    const rule = isOfFlag ? undefined : RULES.find(([pattern]) => pattern.test(opcode));
    if (rule === undefined && !isOfFlag && !OF_OPERATIONS.test(opcode)) unknown.add(opcode);
    const isOperation = OF_OPERATIONS.test(opcode) && !opcode.startsWith('bar.warp');
    const time = rule === undefined || isOperation ? FREE : rule[1](costs, instruction);
    return {
      ...time,
      reads,
      writes,
      isCopy: time === FREE,
      isLoad: LOADS.test(opcode),
      isArithmetic: ARITHMETIC.test(opcode),
      isBranch,
      isOperation,
      isSignal,
    };
  });
  return { times, unknown };
}
