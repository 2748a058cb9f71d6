// What an instruction of PTX takes, by what it does and by the prices of a GPU model.
import type { Access, Compute, Lanes, WarpMatrix } from '../isa/effect.ts';
import type { Operation, Video } from '../isa/operation.ts';
import type { ScalarType } from '../isa/scalar-type.ts';
import type { Instruction, Operand } from '../text/module.ts';
import type { InstructionCosts, InstructionTime } from './instruction-times.ts';

/** From its issue to that of the next instruction, and to its results. */
export type Timed = Pick<InstructionTime, 'issue' | 'latency'>;

/** The time of what ptxas does not leave an instruction of. */
export const FREE: Timed = { issue: 0, latency: 0 };
/** Warps issue an instruction every cycle; units of half a warp take two. */
const FULL = 1;
const HALF = 2;
const SIXTEENTH = 8;

const result = (issue: number, latency: number): Timed => ({ issue, latency });

/** Whether a type is of floating point. */
export function isFloat(type: ScalarType): boolean {
  return type.class === 'float';
}

function names(types: readonly ScalarType[], wanted: ReadonlySet<string>): boolean {
  return types.some(({ name }) => wanted.has(name));
}

/** The time of an instruction; `operation`: that of the operation; `null`: the model has none. */
export function timeOf(
  costs: InstructionCosts,
  { effect, operands }: Instruction,
): Timed | 'operation' | null {
  switch (effect.kind) {
    case 'compute':
      return readsClock(effect, operands)
        ? result(HALF, costs.clockCycles)
        : computeTime(costs, effect);
    case 'access':
      return accessTime(costs, effect);
    case 'matrix':
      if (effect.op === 'transpose') return null;
      return effect.op === 'store'
        ? result(SIXTEENTH, costs.accessCycles)
        : result(effect.count === 4 ? 2 * HALF : HALF, costs.matrixLoadCycles);
    case 'warp matrix':
      return effect.op === 'multiply'
        ? multiplyTime(costs, effect)
        : floatTime(costs, effect.types);
    case 'lanes':
      return lanesTime(costs, effect);
    case 'control':
      return effect.op === 'branch' || effect.op === 'table' ? result(FULL, 0) : 'operation';
    case 'copy':
      return effect.op === 'zeros' ? result(costs.accessCycles, 0) : 'operation';
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'wgmma':
    case 'tcgen05':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'hint':
      return 'operation';
    case 'opaque':
      return null;
  }
}

/** Whether a computation reads a clock. */
export function readsClock({ operation }: Compute, [, from]: readonly Operand[]): boolean {
  if (operation !== 'mov' || from?.kind !== 'special') return false;
  return /^%(?:clock|globaltimer)/.test(from.name);
}

/** A vector of a warp needs the memory for as many rounds as it has words. */
const WORD = 4;

function accessTime(costs: InstructionCosts, effect: Access): Timed | 'operation' {
  const { op, space, bytes, width, isOfCluster, isMultimem } = effect;
  if (isMultimem) return 'operation';
  switch (op) {
    case 'discard':
      return 'operation';
    case 'store':
    case 'reduction':
      return result(costs.accessCycles, 0);
    case 'atomic':
      return result(HALF, space === 'shared' ? costs.sharedAtomicCycles : costs.globalLoadCycles);
    case 'load': {
      if (space === 'param' || space === 'const') return FREE;
      if (space === 'local') return result(costs.accessCycles, costs.cachedLoadCycles);
      const ofShared = isOfCluster ? costs.remoteLoadCycles : costs.sharedLoadCycles;
      const latency = space === 'shared' ? ofShared : costs.globalLoadCycles;
      const more = bytes * width > 2 * WORD ? costs.vectorLoadCycles - costs.sharedLoadCycles : 0;
      return result(costs.accessCycles, latency + more);
    }
  }
}

/** Floating-point operations of a 16-bit `mma.sync.m16n8k16`. */
const FLOPS = 16 * 8 * 16;
const BYTES = new Set(['s8', 'u8', 'e4m3', 'e5m2']);
const LONG = new Set(['tf32']);

/** Times in proportion to the shape: `m16n8k8` takes half of the issue, and some of the latency. */
function multiplyTime(costs: InstructionCosts, { shape: [m, n, k], types }: WarpMatrix): Timed {
  const share = (m * n * k) / FLOPS;
  const narrow = names(types, BYTES) ? 2 : names(types, LONG) ? 1 / 2 : 1;
  const issue = (costs.multiplyIssueCycles * share) / narrow;
  return result(issue, costs.multiplyCycles - costs.multiplyIssueCycles + issue);
}

function lanesTime(costs: InstructionCosts, { op }: Lanes): Timed {
  switch (op) {
    case 'shuffle':
      return result(HALF, costs.shuffleCycles);
    case 'vote':
    case 'match':
    case 'active mask':
      return result(HALF, costs.voteCycles);
    case 'reduce':
      return result(HALF, costs.reduceCycles);
    case 'elect':
      return result(HALF, costs.electCycles);
    case 'join':
      return result(costs.joinCycles, 0);
  }
}

/**
 * How a computation is executed: `moved` away by ptxas, by one instruction for integers or 32-bit
 * floating point (`plain`), by one of the unit for special functions, perhaps with others beside
 * it, as a conversion, as a division; `unpriced`: that is not known.
 */
type Unit = 'moved' | 'plain' | 'special' | 'convert' | 'divide' | 'unpriced';

const UNITS: Readonly<Record<Exclude<Operation, Video>, Unit>> = {
  mov: 'moved',
  cvta: 'moved',
  mapa: 'moved',
  cvt: 'convert',
  div: 'divide',
  rem: 'divide',
  rcp: 'divide',
  sqrt: 'divide',
  rsqrt: 'divide',
  ex2: 'special',
  lg2: 'special',
  sin: 'special',
  cos: 'special',
  tanh: 'special',
  popc: 'special',
  clz: 'special',
  bfind: 'special',
  brev: 'special',
  add: 'plain',
  addc: 'plain',
  sub: 'plain',
  subc: 'plain',
  mul: 'plain',
  mul24: 'plain',
  mad: 'plain',
  mad24: 'plain',
  madc: 'plain',
  fma: 'plain',
  neg: 'plain',
  abs: 'plain',
  min: 'plain',
  max: 'plain',
  sad: 'plain',
  dp2a: 'plain',
  dp4a: 'plain',
  and: 'plain',
  or: 'plain',
  xor: 'plain',
  not: 'plain',
  cnot: 'plain',
  lop3: 'plain',
  shl: 'plain',
  shr: 'plain',
  shf: 'plain',
  prmt: 'plain',
  bfe: 'plain',
  bfi: 'plain',
  bmsk: 'plain',
  szext: 'plain',
  fns: 'plain',
  set: 'plain',
  setp: 'plain',
  selp: 'plain',
  slct: 'plain',
  testp: 'plain',
  copysign: 'plain',
  isspacep: 'plain',
  istypep: 'unpriced',
  getctarank: 'unpriced',
  clmad: 'unpriced',
  alloca: 'unpriced',
  stacksave: 'unpriced',
  stackrestore: 'unpriced',
  spcompress: 'unpriced',
  spdecompress: 'unpriced',
};

function computeTime(costs: InstructionCosts, effect: Compute): Timed | null {
  const { operation, types } = effect;
  switch (isPriced(operation) ? UNITS[operation] : 'unpriced') {
    case 'moved':
      return FREE;
    case 'convert':
      return convertTime(costs, effect);
    case 'special':
      return result(SIXTEENTH, costs.specialCycles);
    case 'divide':
      return divideTime(costs, effect);
    case 'plain':
      return floatTime(costs, types) ?? plainTime(costs, effect);
    case 'unpriced':
      return null;
  }
}

/** Arithmetic on bytes and halves of registers has no price. */
function isPriced(operation: Operation): operation is keyof typeof UNITS {
  return Object.hasOwn(UNITS, operation);
}

const NARROW_FLOATS = new Set([
  'f16',
  'f16x2',
  'bf16',
  'bf16x2',
  'tf32',
  'e4m3x2',
  'e5m2x2',
  'e4m3x4',
  'e5m2x4',
]);
const NARROWING: ReadonlySet<string> = new Set(['rn', 'rz', 'relu', 'satfinite']);
const HALVES = new Set(['f16', 'bf16']);

function convertTime(costs: InstructionCosts, { types, modifiers }: Compute): Timed {
  const [to, from] = types;
  if (modifiers.size === 0 && !types.some(isFloat)) return FREE;
  const isNarrowing = to !== undefined && NARROW_FLOATS.has(to.name);
  const isWidening = modifiers.size === 0 && to?.name === 'f32' && HALVES.has(from?.name ?? '');
  if (isWidening || (isNarrowing && [...modifiers].every((each) => NARROWING.has(each))))
    return result(HALF, costs.aluCycles);
  return result(SIXTEENTH, costs.convertCycles);
}

function divideTime(costs: InstructionCosts, { types, modifiers }: Compute): Timed {
  if (modifiers.has('approx') || modifiers.has('full'))
    return result(SIXTEENTH, costs.specialCycles);
  const cycles = types.some(isFloat) ? costs.divideCycles : costs.integerDivideCycles;
  return result(cycles / 2, cycles);
}

const DOUBLES = new Set(['f64', 'f16', 'f16x2', 'bf16', 'bf16x2']);

/** The time of 64-bit floating point, and of pairs of 16 bits; `null`: it is of neither. */
function floatTime(costs: InstructionCosts, types: readonly ScalarType[]): Timed | null {
  return names(types, DOUBLES) ? result(HALF, costs.doubleCycles) : null;
}

const FLOAT = new Set(['f32']);
/** Instructions that have all their issue for 32-bit floating point. */
const FULL_RATE: ReadonlySet<Operation> = new Set(['add', 'sub', 'mul', 'fma', 'mad']);
/** Instructions that ptxas makes two of for 64-bit integers. */
const HALVED: ReadonlySet<Operation> = new Set([
  'add',
  'sub',
  'mul',
  'mad',
  'min',
  'max',
  'shl',
  'shr',
  'setp',
]);

function plainTime(costs: InstructionCosts, { operation, types }: Compute): Timed {
  if (FULL_RATE.has(operation) && names(types, FLOAT)) return result(FULL, costs.aluCycles);
  const isLong = types.some((type) => type.bits === 64 && !isFloat(type));
  if (HALVED.has(operation) && isLong) return result(2 * HALF, costs.aluCycles + FULL);
  return result(HALF, costs.aluCycles);
}
