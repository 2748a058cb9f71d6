// What a text shows of its launch: which parameters are pointers, maps and numbers, what numbers
// are compared with, and what its barriers count.
import { globalAccessOf, isAtomic, isStrong, operationOf, synchronizes } from '../isa/questions.ts';
import { inlineCalls } from '../flow/inline.ts';
import type { Instruction, Operand, PtxFunction, PtxModule } from '../text/module.ts';
import { ValueFlows } from './flows.ts';
import { numberFacts } from './number-facts.ts';
import type { NumberFacts } from './number-facts.ts';

/** A tensor map that the text uses. */
export interface MapUse {
  /** Whether a copy out of shared memory goes through it. */
  readonly isStored: boolean;
}

/** What a text shows of its launch. */
export interface KernelFacts {
  readonly flows: ValueFlows;
  /** Origins of values that are addresses. */
  readonly pointers: ReadonlySet<string>;
  /** Maps by the origin of their address: of a parameter, or in one. */
  readonly maps: ReadonlyMap<string, MapUse>;
  /** By the origin of the number. */
  readonly numbers: ReadonlyMap<string, NumberFacts>;
  /** Threads that named barriers wait for, and arrivals that mbarriers wait for. */
  readonly barrierCounts: readonly number[];
  readonly arrivalCounts: readonly number[];
  /** Instructions that synchronize, strong accesses included. */
  readonly synchronizing: number;
  /** Whether the text speaks of the other blocks of a cluster. */
  readonly usesCluster: boolean;
  readonly usesLaunchControl: boolean;
  /** Whether blocks, or clusters, of a grid can do different work. */
  readonly hasDifferentBlocks: boolean;
  /** Whether a number of the launch decides where something is written in global memory. */
  readonly isOfNumbers: boolean;
}

/** Collects what a kernel shows of its launch. */
export function factsOf(module: PtxModule, entry: PtxFunction): KernelFacts {
  const code = inlineCalls(module, entry);
  const flows = new ValueFlows(code);
  const pointers = new Set<string>();
  const maps = new Map<string, MapUse>();
  const counts = { barriers: new Set<number>(), arrivals: new Set<number>() };
  for (const each of code.instructions) {
    notePointers(each, flows, pointers);
    noteMaps(each, flows, maps);
    noteCounts(each, flows, counts);
  }
  return {
    flows,
    pointers,
    maps,
    numbers: numberFacts(code, flows),
    barrierCounts: [...counts.barriers].sort((a, b) => a - b),
    arrivalCounts: [...counts.arrivals].sort((a, b) => a - b),
    synchronizing: code.instructions.filter(mayWait).length,
    usesCluster: code.instructions.some(isOfCluster) || [...flows.specials].some(namesCluster),
    usesLaunchControl: code.instructions.some(({ effect }) => effect.kind === 'launch control'),
    hasDifferentBlocks:
      code.instructions.some(isBetweenBlocks) || [...flows.specials].some(namesBlock),
    isOfNumbers: code.instructions.some((each) => isWrittenByNumbers(each, flows, pointers)),
  };
}

/** Whether threads may wait for one another there, or be ordered by it. */
function mayWait(instruction: Instruction): boolean {
  const { effect } = instruction;
  return synchronizes(instruction) || isStrong(instruction) || effect.kind === 'registers';
}

/** Whether blocks get their work by an instruction, or meet at it. */
function isBetweenBlocks(instruction: Instruction): boolean {
  const { kind } = instruction.effect;
  if (kind === 'launch control' || kind === 'opaque') return true;
  const access = globalAccessOf(instruction);
  return access !== null && (access.isStrong || isAtomic(instruction));
}

const NUMBERS_OF_BLOCKS = /^%(ctaid|clusterid|smid|gridid)\b/;

function namesBlock(special: string): boolean {
  return NUMBERS_OF_BLOCKS.test(special);
}

/** Whether an instruction writes global memory at a place that numbers of the launch decide. */
function isWrittenByNumbers(
  instruction: Instruction,
  flows: ValueFlows,
  pointers: ReadonlySet<string>,
): boolean {
  const isWrite = globalAccessOf(instruction)?.op !== 'load';
  return globalAddresses(instruction).some((operand) => {
    const numbers = [...flows.of(operand).keys()].filter((name) => flows.fields.has(name));
    return isWrite && numbers.some((name) => !pointers.has(name));
  });
}

const POINTER_BYTES = 8;

/** Operands that are addresses of global memory. */
export function globalAddresses(instruction: Instruction): readonly Operand[] {
  const { effect, operands, roles } = instruction;
  const isOfMemory =
    globalAccessOf(instruction) !== null ||
    effect.kind === 'prefetch' ||
    (effect.kind === 'warp matrix' && (effect.space === 'global' || effect.space === 'generic'));
  if (isOfMemory) return operands.filter(({ kind }) => kind === 'address').slice(0, 1);
  if (effect.kind !== 'copy' || effect.op === 'tensor') return [];
  const places = [
    ...(effect.from === 'global' ? [roles.from] : []),
    ...(effect.to === 'global' ? [roles.to] : []),
  ];
  return places.flatMap((at) => (at === undefined ? [] : [operands[at]!]));
}

/** An address is one parameter with offsets added: the one that was converted, if one was. */
function notePointers(instruction: Instruction, flows: ValueFlows, found: Set<string>): void {
  for (const operand of globalAddresses(instruction)) {
    const direct = [...flows.of(operand)].filter(([name, { isDirect }]) => {
      return isDirect && flows.fields.get(name)?.bytes === POINTER_BYTES;
    });
    const converted = direct.filter(([, { isConverted }]) => isConverted);
    for (const [name] of converted.length > 0 ? converted : direct) found.add(name);
  }
}

/** The address of a tensor map that an instruction uses. */
function mapOperand({ effect, operands, roles }: Instruction): Operand | undefined {
  const isTensor =
    (effect.kind === 'copy' && effect.op === 'tensor') ||
    effect.kind === 'tensor map' ||
    (effect.kind === 'prefetch' && effect.isTensor) ||
    (effect.kind === 'fence' && effect.proxy === 'tensormap::generic');
  if (!isTensor) return undefined;
  return roles.map === undefined
    ? operands.find(({ kind }) => kind === 'address')
    : operands[roles.map];
}

function noteMaps(instruction: Instruction, flows: ValueFlows, maps: Map<string, MapUse>): void {
  const operand = mapOperand(instruction);
  if (operand === undefined) return;
  const { effect } = instruction;
  const isStored = effect.kind === 'copy' && effect.from === 'shared';
  for (const [name, { isDirect }] of flows.of(operand)) {
    const isAddress = name.startsWith('&');
    const isPointer = isDirect && flows.fields.get(name)?.bytes === POINTER_BYTES;
    if (!isAddress && !isPointer) continue;
    maps.set(name, { isStored: isStored || maps.get(name)?.isStored === true });
  }
}

function noteCounts(
  { effect, operands, roles }: Instruction,
  { constants }: ValueFlows,
  counts: { readonly barriers: Set<number>; readonly arrivals: Set<number> },
): void {
  const isNamed = effect.kind === 'barrier' && effect.of === 'cta';
  const count = isNamed ? constants.of(operands[effect.op === 'reduce' ? 2 : 1]) : null;
  if (count !== null && count > 0) counts.barriers.add(count);
  if (effect.kind !== 'mbarrier' || effect.op !== 'init') return;
  const arrivals = constants.of(operands[roles.count ?? 1]);
  if (arrivals !== null && arrivals > 1) counts.arrivals.add(arrivals);
}

function namesCluster(special: string): boolean {
  return special.includes('cluster') && special !== '%is_explicit_cluster';
}

/** Whether an instruction speaks of other blocks of its cluster. */
function isOfCluster(instruction: Instruction): boolean {
  const { effect } = instruction;
  const operation = operationOf(instruction);
  if (operation === 'mapa' || operation === 'getctarank') return true;
  if (effect.kind === 'barrier') return effect.of === 'cluster';
  if (effect.kind === 'copy' || effect.kind === 'mbarrier')
    return effect.multicast !== null || (effect.kind === 'copy' && effect.ctaGroup === 2);
  if (effect.kind === 'tcgen05') return effect.ctaGroup === 2 || effect.multicast !== null;
  return effect.kind === 'launch control' && effect.op === 'try cancel' && effect.isMulticast;
}
