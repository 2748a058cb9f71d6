// Registers of asynchronous work: read or written before the wait for it, or without the fence that
// the tensor cores need. A forward analysis of the text, so for all sizes.
import { basicBlocks } from '../flow/blocks.ts';
import { readsOf } from '../flow/liveness.ts';
import type { Effect, WarpgroupMatrix } from '../isa/effect.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from '../flow/destinations.ts';

/** An instruction that uses a register too early. */
export interface RegisterHazard {
  readonly at: number;
  readonly text: string;
}

/** Groups of tensor-core work that are distinguished. */
const MAX_GROUPS = 8;
/** Shapes of tensor-core work that are distinguished. */
const MAX_SHAPES = 31;

/** What is known of each register before an instruction. */
interface State {
  /** 0: no work of wgmma writes it; else 1 + the least number of commits since. */
  readonly written: Uint8Array;
  /** The same for work that reads it. */
  readonly read: Uint8Array;
  /** 1 while a load of tensor memory may write it. */
  readonly loaded: Uint8Array;
  /** 1 if threads accessed it after the last fence of wgmma. */
  readonly unfenced: Uint8Array;
  /** The shapes of work that writes it since the last fence of wgmma, a bit for each. */
  readonly shapes: Int32Array;
}

function stateOf(registers: number, isEntry: boolean): State {
  const bytes = (): Uint8Array => new Uint8Array(registers);
  return {
    written: bytes(),
    read: bytes(),
    loaded: bytes(),
    unfenced: isEntry ? bytes().fill(1) : bytes(),
    shapes: new Int32Array(registers),
  };
}

function copyOf({ written, read, loaded, unfenced, shapes }: State): State {
  return {
    shapes: shapes.slice(),
    written: written.slice(),
    read: read.slice(),
    loaded: loaded.slice(),
    unfenced: unfenced.slice(),
  };
}

/** Joins the state of another way; whether that changes anything. */
function join(state: State, other: State): boolean {
  let isChanged = false;
  for (const field of ['written', 'read'] as const)
    for (const [register, groups] of other[field].entries()) {
      const known = state[field][register]!;
      if (groups === 0 || (known > 0 && known <= groups)) continue;
      state[field][register] = groups;
      isChanged = true;
    }
  for (const [register, shapes] of other.shapes.entries()) {
    if ((shapes & ~state.shapes[register]!) === 0) continue;
    state.shapes[register]! |= shapes;
    isChanged = true;
  }
  for (const field of ['loaded', 'unfenced'] as const)
    for (const [register, flag] of other[field].entries()) {
      if (flag === 0 || state[field][register] === 1) continue;
      state[field][register] = 1;
      isChanged = true;
    }
  return isChanged;
}

function registersOf(operand: Operand | undefined): number[] {
  if (operand?.kind === 'register') return [operand.register];
  return operand?.kind === 'vector' ? operand.elements.flatMap(registersOf) : [];
}

function isTensorLoad(effect: Effect): boolean {
  return effect.kind === 'tcgen05' && effect.op === 'load';
}

function commit({ written, read }: State): void {
  for (const groups of [written, read])
    for (const [register, value] of groups.entries())
      if (value > 0) groups[register] = Math.min(MAX_GROUPS, value + 1);
}

function waitForGroups({ written, read }: State, { operands, guard }: Instruction): void {
  const [count] = operands;
  const pending = count?.kind === 'immediate' ? count.value.low : 0;
  if (guard !== null) return;
  for (const groups of [written, read])
    for (const [register, value] of groups.entries()) if (value - 1 > pending) groups[register] = 0;
}

const EARLY = 'a register of tensor-core work is used before the wait for it';
const LOADED = 'a register that is loaded from tensor memory is used before the wait for it';
const UNFENCED = 'threads access a register of tensor-core work without wgmma.fence in between';

const SHAPES =
  'tensor-core work of several shapes writes a register without wgmma.fence in between';

class Analysis {
  readonly #code: PtxFunction;
  readonly hazards = new Map<string, RegisterHazard>();

  constructor(code: PtxFunction) {
    this.#code = code;
  }

  run(): void {
    const { starts, successors } = basicBlocks(this.#code);
    const count = this.#code.registers.length;
    const before: (State | null)[] = Array.from(starts, () => null);
    before[0] = stateOf(count, true);
    const open = new Set([0]);
    for (const block of open) {
      open.delete(block);
      const state = copyOf(before[block]!);
      for (let at = starts[block]!; at < (starts[block + 1] ?? 0); at++)
        this.#step(state, this.#code.instructions[at]!, false);
      for (const next of successors[block] ?? []) {
        if (before[next] === null) before[next] = copyOf(state);
        else if (!join(before[next]!, state)) continue;
        open.delete(next);
        open.add(next);
      }
    }
    for (const [block, state] of before.entries()) {
      if (state === null) continue;
      for (let at = starts[block]!; at < (starts[block + 1] ?? 0); at++)
        this.#step(state, this.#code.instructions[at]!, true);
    }
  }

  /** A bit for the shape and the types of work; those beyond the last bit share it. */
  #shapeOf({ columns, depth, types, isSparse }: WarpgroupMatrix): number {
    const name = [columns, depth, isSparse, ...types.map((type) => type.name)].join(' ');
    let index = this.#shapes.indexOf(name);
    if (index < 0) index = this.#shapes.push(name) - 1;
    return 1 << Math.min(index, MAX_SHAPES - 1);
  }

  readonly #shapes: string[] = [];

  #hazard({ index }: Instruction, text: string, isReported: boolean): void {
    if (isReported) this.hazards.set(`${index}:${text}`, { at: index, text });
  }

  #step(state: State, instruction: Instruction, isReported: boolean): void {
    const { effect, guard } = instruction;
    if (effect.kind === 'wgmma') {
      if (effect.op === 'multiply') return this.#multiply(state, instruction, effect, isReported);
      if (guard !== null) return;
      state.unfenced.fill(0);
      state.shapes.fill(0);
      return;
    }
    if (effect.kind === 'group' && effect.unit === 'wgmma')
      return effect.op === 'commit' ? commit(state) : waitForGroups(state, instruction);
    if (effect.kind === 'tcgen05' && effect.op === 'wait load') {
      if (guard === null) state.loaded.fill(0);
      return;
    }
    const isLoad = isTensorLoad(effect);
    const reads = isLoad ? [] : readsOf(instruction);
    const writes = destinationsOf(instruction);
    for (const register of reads) {
      if (state.written[register]! > 0) this.#hazard(instruction, EARLY, isReported);
      if (state.loaded[register] === 1) this.#hazard(instruction, LOADED, isReported);
      state.unfenced[register] = 1;
    }
    for (const register of writes) {
      if (state.written[register]! > 0 || state.read[register]! > 0)
        this.#hazard(instruction, EARLY, isReported);
      if (state.loaded[register] === 1) this.#hazard(instruction, LOADED, isReported);
      state.unfenced[register] = 1;
      if (isLoad) state.loaded[register] = 1;
    }
  }

  #multiply(
    state: State,
    instruction: Instruction,
    effect: WarpgroupMatrix,
    isReported: boolean,
  ): void {
    const { operands } = instruction;
    const results = registersOf(operands[0]);
    const inputs = operands[1]?.kind === 'vector' ? registersOf(operands[1]) : [];
    for (const register of [...results, ...inputs]) {
      if (state.unfenced[register] === 1) this.#hazard(instruction, UNFENCED, isReported);
      if (state.loaded[register] === 1) this.#hazard(instruction, LOADED, isReported);
    }
    for (const register of inputs) {
      if (state.written[register]! > 0) this.#hazard(instruction, EARLY, isReported);
      state.read[register] = 1;
    }
    const shape = this.#shapeOf(effect);
    for (const register of results) {
      if ((state.shapes[register]! & ~shape) !== 0) this.#hazard(instruction, SHAPES, isReported);
      state.written[register] = 1;
      state.shapes[register]! |= shape;
    }
  }
}

/** Registers that are used too early, by instruction. */
export function registerHazards(code: PtxFunction): ReadonlyMap<string, RegisterHazard> {
  const isUsed = code.instructions.some(
    ({ effect }) => isTensorLoad(effect) || (effect.kind === 'wgmma' && effect.op === 'multiply'),
  );
  if (!isUsed) return new Map();
  const analysis = new Analysis(code);
  analysis.run();
  return analysis.hazards;
}
