// The backward slice of a kernel on its decisions: the registers whose values decide what others
// can observe. A decision is a guard, an address, or an operand of what synchronizes. What is only
// computed, stored and loaded again is data, whose values nothing rests on.
import type { Access, Effect } from '../isa/effect.ts';
import { usesCarry } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from './destinations.ts';
import { isInput, registersOf } from './liveness.ts';

/** Memory of the threads and of the block. */
type Memory = 'shared' | 'local';

const NONE: readonly Memory[] = [];

/** The memory of a state space through which values may come back. */
function memoryOf(space: Access['space']): readonly Memory[] {
  switch (space) {
    case 'shared':
      return ['shared'];
    case 'local':
    case 'param':
      return ['local'];
    case 'generic':
      return ['shared', 'local'];
    case 'global':
    case 'const':
      return NONE;
  }
}

/** How values pass an instruction. */
interface Flow {
  /** The operands that it only passes on, by their places; all others decide. */
  readonly passes: (place: number, operand: Operand) => boolean;
  /** The memory that they pass into, beside its results. */
  readonly into: readonly Memory[];
  /** The memory from which its results come. */
  readonly from: readonly Memory[];
}

const isStored = (place: number): boolean => place === 1;
const isVector = (_place: number, { kind }: Operand): boolean => kind === 'vector';

const DECIDES: Flow = { passes: () => false, into: NONE, from: NONE };
const COMPUTES: Flow = { ...DECIDES, passes: () => true };

function flowOf(instruction: Instruction): Flow {
  const { effect, unmodeled } = instruction;
  if (unmodeled !== null) return DECIDES;
  switch (effect.kind) {
    case 'compute':
      return isPlain(instruction) ? COMPUTES : DECIDES;
    case 'hint':
      return COMPUTES;
    case 'access':
      return flowOfAccess(effect);
    case 'matrix':
      if (effect.op === 'transpose') return COMPUTES;
      return effect.op === 'load'
        ? { ...DECIDES, from: ['shared'] }
        : { ...DECIDES, passes: isStored, into: ['shared'] };
    case 'warp matrix':
      if (effect.op === 'multiply') return COMPUTES;
      // What a matrix that was stored holds is never known.
      return effect.op === 'store' ? { ...DECIDES, passes: isStored } : DECIDES;
    case 'wgmma':
      return { ...DECIDES, passes: isVector };
    case 'tcgen05':
      // What tensor memory holds is never known.
      return effect.op === 'store' ? { ...DECIDES, passes: isVector } : DECIDES;
    case 'lanes':
      return effect.op === 'shuffle' || effect.op === 'reduce'
        ? { ...DECIDES, passes: isStored }
        : DECIDES;
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'opaque':
      return DECIDES;
  }
}

/** Whether a computation reads and writes nothing but its operands. */
function isPlain(instruction: Instruction): boolean {
  return !usesCarry(instruction) && destinationsOf(instruction).length > 0;
}

function flowOfAccess({ op, space, isMultimem }: Access): Flow {
  if (isMultimem) return DECIDES;
  if (op === 'load') return { ...DECIDES, from: memoryOf(space) };
  return op === 'store' ? { ...DECIDES, passes: isStored, into: memoryOf(space) } : DECIDES;
}

/** Whether an instruction looks at what shared memory holds, whatever becomes of its results. */
function looksAtShared(effect: Effect): boolean {
  if (effect.kind === 'tensor map') return true;
  const isAtomic =
    effect.kind === 'access' && (effect.op === 'atomic' || effect.op === 'reduction');
  return isAtomic && memoryOf(effect.space).includes('shared');
}

/** How one instruction passes on that values are needed. */
interface Passing {
  readonly results: readonly number[];
  readonly inputs: readonly number[];
  readonly flow: Flow;
}

const known = new WeakMap<PtxFunction, Slice>();

/** Whether what an instruction finds decides something that others can observe. */
export function decides(code: PtxFunction, instruction: Instruction): boolean {
  let slice = known.get(code);
  if (slice === undefined) known.set(code, (slice = new Slice(code)));
  return !slice.isData(instruction);
}

/** The registers of a kernel whose values decide something. */
export class Slice {
  readonly #needed: Uint8Array;
  readonly #memory = new Set<Memory>();

  constructor({ instructions, registers }: PtxFunction) {
    this.#needed = new Uint8Array(registers.length);
    const all = instructions.map((each) => this.#start(each)).toReversed();
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (const each of all) isMoving = this.#follow(each) || isMoving;
    }
  }

  /** Whether what a register of the code holds decides something. */
  isNeeded(register: number): boolean {
    return this.#needed[register] !== 0;
  }

  /** Whether an instruction has results, and none of them decides anything. */
  isData(instruction: Instruction): boolean {
    const results = destinationsOf(instruction);
    return results.length > 0 && !results.some((each) => this.isNeeded(each));
  }

  /** Whether an instruction does nothing but compute such results. */
  isIdle(instruction: Instruction): boolean {
    return flowOf(instruction) === COMPUTES && this.isData(instruction);
  }

  /** Whether an instruction stores values, and one of them decides nothing. */
  leavesOut(instruction: Instruction): boolean {
    const { operands } = instruction;
    const { passes } = flowOf(instruction);
    const values = operands.filter((operand, place) => passes(place, operand));
    return !values.flatMap(registersOf).every((each) => this.isNeeded(each));
  }

  /** What decides something in an instruction itself. */
  #start(instruction: Instruction): Passing {
    const { effect, operands, guard } = instruction;
    const flow = flowOf(instruction);
    const inputs: number[] = [];
    if (looksAtShared(effect)) this.#memory.add('shared');
    if (guard !== null) this.#needed[guard.register] = 1;
    for (const [place, operand] of operands.entries()) {
      if (!isInput(instruction, place)) continue;
      if (flow.passes(place, operand)) inputs.push(...registersOf(operand));
      else this.#need(registersOf(operand));
    }
    return { results: destinationsOf(instruction), inputs, flow };
  }

  /** Follows what is needed through an instruction; whether more is. */
  #follow({ results, inputs, flow: { into, from } }: Passing): boolean {
    const isRead = results.some((each) => this.isNeeded(each));
    const { size } = this.#memory;
    if (isRead) for (const each of from) this.#memory.add(each);
    const isPassed = isRead || into.some((each) => this.#memory.has(each));
    return (isPassed && this.#need(inputs)) || this.#memory.size > size;
  }

  /** Registers are needed; whether some were not. */
  #need(registers: readonly number[]): boolean {
    const others = registers.filter((each) => !this.isNeeded(each));
    for (const each of others) this.#needed[each] = 1;
    return others.length > 0;
  }
}
