// What an instruction asks of the SM while other warps issue, too.
import type { IssueKind, IssueUnit } from '@poundlock/core/internal/program';
import type { Effect } from '../isa/effect.ts';
import type { Instruction } from '../text/module.ts';
import type { ScalarType } from '../isa/scalar-type.ts';
import { productCyclesOf } from './product-cycles.ts';
import { readsClock } from './instruction-prices.ts';
import type { Timed } from './instruction-prices.ts';

/** What an instruction takes of a scheduler and of a unit. */
export interface Demand {
  readonly unit: IssueUnit;
  readonly slots: number;
  readonly cycles: number;
}

const demand = (unit: IssueUnit, slots: number, cycles: number): Demand => ({
  unit,
  slots,
  cycles,
});
const NOTHING = demand('none', 0, 0);

/** Cycles of a unit of a scheduler for one warp: bench/h200/throughput.csv. */
const FULL = 1;
const HALF = 2;
const CONVERT = 4;
const COUNT = 6;
const SIXTEENTH = 8;

/** Instructions of a division, a root, a reciprocal: the same table; `rsqrt` is assumed. */
const DIVISIONS: Readonly<Record<string, readonly [slots: number, special: number]>> = {
  div: [25, 8],
  rem: [16, 8],
  rcp: [12, 8],
  sqrt: [12, 8],
  rsqrt: [2, 8],
};
const INTEGER_DIVISION = 16;
const LONG_DIVISION = 70;
const FULL_RATE = new Set(['add', 'sub', 'mul', 'fma', 'mad']);
const PRODUCTS = new Set(['mul', 'mad', 'mul24', 'mad24', 'madc']);
const COUNTS = new Set(['popc', 'clz', 'bfind', 'brev']);
const HALVES = new Set(['f16', 'bf16', 'f16x2', 'bf16x2']);
const TRIGONOMETRY = new Set(['sin', 'cos', 'tanh', 'ex2', 'lg2']);

/** What an instruction asks for; `time`: what it takes a warp alone, `null`: it is an operation. */
export function demandOf(instruction: Instruction, time: Timed | null): Demand {
  const { effect } = instruction;
  switch (effect.kind) {
    case 'compute':
      return computeDemand(effect, time);
    case 'warp matrix':
      if (effect.op !== 'multiply') return NOTHING;
      return demand('tensor', 1, matrixCycles(effect));
    case 'lanes':
      return lanesDemand(effect);
    case 'control':
      return demand('alu', 1, 1);
    case 'access':
      if (effect.space === 'param' || effect.space === 'const') return NOTHING;
      return demand('memory', 1, 1);
    case 'matrix':
      return demand('memory', 1, effect.op === 'transpose' ? 1 : effect.count);
    case 'copy':
      return demand('memory', 1, 1);
    case 'barrier':
    case 'group':
    case 'fence':
      return demand('alu', 1, 1);
    case 'wgmma':
      return effect.op === 'multiply'
        ? demand('tensor', 1, productCyclesOf(instruction))
        : demand('alu', 1, 1);
    case 'prefetch':
    case 'mbarrier':
    case 'tcgen05':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'hint':
    case 'opaque':
      return demand('alu', 1, 1);
  }
}

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

function computeDemand(effect: Of<'compute'>, time: Timed | null): Demand {
  const { operation, types, modifiers } = effect;
  if (time === null || (time.issue === 0 && time.latency === 0)) return NOTHING;
  const [to, from] = types;
  const isLong = to?.bits === 64;
  if (operation === 'cvt') return convertDemand(to, from);
  if (DIVISIONS[operation] !== undefined) return divisionDemand(effect, DIVISIONS[operation]);
  if (TRIGONOMETRY.has(operation)) return demand('special', 1, SIXTEENTH);
  if (COUNTS.has(operation)) return demand('special', 1, COUNT);
  if (to?.class === 'float') {
    if (isLong) return demand('double', 1, HALF);
    const isFull = HALVES.has(to.name) || FULL_RATE.has(operation);
    return isFull ? demand('fma', 1, FULL) : demand('alu', 1, HALF);
  }
  if (!PRODUCTS.has(operation)) return demand('alu', 1, HALF);
  const count = isLong && !modifiers.has('wide') ? LONG_PRODUCT : 1;
  return demand('fma', count, HALF * count);
}

/** Instructions of a product of 64 bits by one of 64. */
const LONG_PRODUCT = 3;

function divisionDemand(
  { operation, types: [to], modifiers }: Of<'compute'>,
  [slots, special]: readonly [slots: number, special: number],
): Demand {
  const isLong = to?.bits === 64;
  if (to?.class !== 'float') {
    const count = isLong ? LONG_DIVISION : INTEGER_DIVISION;
    return demand('alu', count, HALF * count);
  }
  const isFlushed = modifiers.has('ftz') && operation !== 'div';
  if (modifiers.has('approx') || modifiers.has('full') || isFlushed)
    return demand('special', 2, special);
  return demand(isLong ? 'double' : 'fma', slots, slots * (isLong ? HALF : FULL));
}

function convertDemand(...types: readonly (ScalarType | undefined)[]): Demand {
  if (!types.some((type) => type?.class === 'float')) return demand('alu', 1, HALF);
  if (types.some((type) => HALVES.has(type?.name ?? ''))) return demand('fma', 1, FULL);
  return demand('special', 1, CONVERT);
}

/** `m16n8k16` of 16 bits, and what takes as long. */
const MATRIX = 16 * 8 * 16;
const MATRIX_CYCLES = 6.6;
const OF_DOUBLES = 8 * 8 * 4;

/** By type of the elements: how many such products take the time of one of 16 bits. */
const RATES: Readonly<Record<string, number>> = {
  tf32: 1 / 2,
  s8: 2,
  u8: 2,
  e4m3: 2,
  e5m2: 2,
  s4: 4,
  u4: 4,
  b1: 16,
};

function matrixCycles({ shape: [m, n, k], types }: Of<'warp matrix'>): number {
  const all = m * n * k;
  if (types.some(({ name }) => name === 'f64')) return (16 * all) / OF_DOUBLES;
  const rate = types.map(({ name }) => RATES[name]).find((each) => each !== undefined) ?? 1;
  return (MATRIX_CYCLES * all) / MATRIX / rate;
}

function lanesDemand({ op }: Of<'lanes'>): Demand {
  switch (op) {
    case 'shuffle':
      return demand('memory', 1, 1);
    case 'reduce':
      return demand('special', 1, SIXTEENTH);
    case 'vote':
    case 'match':
      return demand('alu', 1, HALF + 1);
    case 'active mask':
    case 'elect':
    case 'join':
      return demand('alu', 1, 1);
  }
}

/** What an instruction does; `null`: the model of warps that compete lacks it. */
export function issueKindOf({ effect, operands }: Instruction): IssueKind | null {
  switch (effect.kind) {
    case 'compute':
      return readsClock(effect, operands) ? null : 'plain';
    case 'warp matrix':
    case 'lanes':
    case 'hint':
    case 'prefetch':
      return 'plain';
    case 'matrix':
      return effect.op === 'transpose' ? 'plain' : 'shared';
    case 'control':
      return effect.op === 'branch' || effect.op === 'table' ? 'branch' : 'plain';
    case 'access':
      return accessKind(effect);
    case 'copy':
      return effect.op === 'thread' && effect.completion === 'group' ? 'copy' : null;
    case 'group':
      if (effect.unit === 'bulk') return null;
      if (effect.unit === 'wgmma')
        return effect.op === 'commit' ? 'commit multiply' : 'wait multiply';
      return effect.op === 'commit' ? 'commit' : 'wait';
    case 'barrier':
      if (effect.of === 'cluster') return null;
      return effect.op === 'arrive' ? 'arrive' : 'barrier';
    case 'fence':
      return effect.scope === 'cta' || effect.proxy !== null ? 'plain' : null;
    case 'wgmma':
      return effect.op === 'multiply' ? 'multiply' : 'plain';
    case 'mbarrier':
    case 'tcgen05':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'opaque':
      return null;
  }
}

function accessKind({ op, space, isOfCluster, isMultimem }: Of<'access'>): IssueKind | null {
  if (isOfCluster || isMultimem) return null;
  if (space === 'param' || space === 'const') return 'plain';
  if (space === 'shared') return 'shared';
  if (op === 'discard') return 'plain';
  if (op === 'reduction') return 'atomic';
  return op;
}
