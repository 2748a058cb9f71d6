// Which registers are read later: two states of a warp that differ in others only go on alike.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from './destinations.ts';
import { basicBlocks } from './blocks.ts';
import type { Blocks } from './blocks.ts';

const reads = new WeakMap<Instruction, readonly number[]>();

/** Registers that an instruction reads. */
export function readsOf(instruction: Instruction): readonly number[] {
  let known = reads.get(instruction);
  if (known === undefined) reads.set(instruction, (known = findReads(instruction)));
  return known;
}

/** Registers of an operand. */
export function registersOf(operand: Operand): number[] {
  switch (operand.kind) {
    case 'register':
      return [operand.register];
    case 'address':
      return [operand.base, ...operand.more].flatMap(registersOf);
    case 'vector':
    case 'list':
      return operand.elements.flatMap(registersOf);
    case 'not':
      return registersOf(operand.operand);
    case 'pair':
      return [operand.first, operand.second].flatMap(registersOf);
    case 'immediate':
    case 'symbol':
    case 'special':
    case 'sink':
      return [];
  }
}

/** Whether an operand, by its place, is an input. */
export function isInput(instruction: Instruction, place: number): boolean {
  // Warpgroup matrix work adds to what its first operand holds.
  if (place > 0 || instruction.effect.kind === 'wgmma') return true;
  return destinationsOf(instruction).length === 0;
}

function findReads(instruction: Instruction): number[] {
  const { operands, guard } = instruction;
  const inputs = operands.filter((_, place) => isInput(instruction, place)).flatMap(registersOf);
  return guard === null ? inputs : [...inputs, guard.register];
}

const lists = new WeakMap<Uint32Array, readonly number[]>();

/** The registers of a set of bits that never changes. */
export function registersIn(set: Uint32Array): readonly number[] {
  let known = lists.get(set);
  if (known === undefined) lists.set(set, (known = listOf(set)));
  return known;
}

function listOf(set: Uint32Array): number[] {
  const list: number[] = [];
  for (let index = 0; index < set.length; index++)
    for (let rest = set[index]!; rest !== 0; rest &= rest - 1)
      list.push(index * 32 + 31 - Math.clz32(rest & -rest));
  return list;
}

/** The registers that are live before each instruction, as sets of bits. */
export class Liveness {
  readonly #code: PtxFunction;
  readonly #blocks: Blocks;
  readonly #words: number;
  readonly #atStart: readonly Uint32Array[];
  readonly #known = new Map<number, Uint32Array>();

  constructor(code: PtxFunction) {
    this.#code = code;
    this.#blocks = basicBlocks(code);
    this.#words = Math.ceil(code.registers.length / 32);
    this.#atStart = this.#solve();
  }

  /** The registers that are live before an instruction: bit `r & 31` of word `r >> 5`. */
  before(at: number): Uint32Array {
    let live = this.#known.get(at);
    if (live === undefined) {
      live = this.#within(this.#blocks.blockOf[at]!, at, this.#atStart);
      this.#known.set(at, live);
    }
    return live;
  }

  #solve(): Uint32Array<ArrayBuffer>[] {
    const { starts } = this.#blocks;
    const live = Array.from(starts, () => new Uint32Array(this.#words));
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (let block = starts.length - 2; block >= 0; block--) {
        const next = this.#within(block, starts[block]!, live);
        if (next.every((word, index) => word === live[block]![index])) continue;
        live[block] = next;
        isMoving = true;
      }
    }
    return live;
  }

  /** What is live before an instruction of a block, from what is live where blocks begin. */
  #within(block: number, from: number, atStart: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
    const live = new Uint32Array(this.#words);
    for (const next of this.#blocks.successors[block] ?? [])
      for (const [index, word] of atStart[next]!.entries()) live[index]! |= word;
    const end = this.#blocks.starts[block + 1] ?? from;
    for (let at = end - 1; at >= from; at--) {
      const instruction = this.#code.instructions[at]!;
      // A guarded instruction may leave its destinations as they are.
      if (instruction.guard === null)
        for (const register of destinationsOf(instruction))
          live[register >> 5]! &= ~(1 << (register & 31));
      for (const register of readsOf(instruction)) live[register >> 5]! |= 1 << (register & 31);
    }
    return live;
  }
}
