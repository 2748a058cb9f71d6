// Pools: memory that roles allocate from, with a capacity and a number of buffers (A01-A03).
import type { Instruction } from './instruction.ts';
import type { Layout } from './layout.ts';
import type { MachineShape, PoolShape } from './shape.ts';

/** The second word of a pool: bits that say what has happened to it. */
const RELINQUISHED = 1;
const ALLOCATED = 2;

/** The pools of a machine. Their state is in the caller's words. */
export class Pools {
  readonly #shape: MachineShape;
  readonly #layout: Layout;
  /** By physical buffer: whether it belongs to a pool. */
  readonly #isPooled: Uint8Array;

  constructor(shape: MachineShape, layout: Layout) {
    this.#shape = shape;
    this.#layout = layout;
    const { ctas } = shape;
    this.#isPooled = new Uint8Array(shape.buffers * ctas);
    for (const { buffers } of shape.pools) {
      for (const id of buffers) this.#isPooled.fill(1, id * ctas, (id + 1) * ctas);
    }
  }

  /** A01: whether an allocation can be answered now, if only with a fault. */
  canAllocate(words: Int32Array, instruction: Instruction): boolean {
    if (this.isImpossible(words, instruction)) return true;
    const used = words[this.#at(instruction.target)]!;
    if (used + instruction.units > this.#pool(instruction.target).capacity) return false;
    return this.#freeBuffer(words, instruction) >= 0;
  }

  /** A01, A03: whether an allocation can never be answered. */
  isImpossible(words: Int32Array, instruction: Instruction): boolean {
    const { target, units } = instruction;
    return (
      units > this.#pool(target).capacity || (words[this.#at(target) + 1]! & RELINQUISHED) !== 0
    );
  }

  /** A01: takes units and the first free buffer, whose declared id is the answer. */
  allocate(words: Int32Array, instruction: Instruction): number {
    const { target, units, cta } = instruction;
    const buffer = this.#freeBuffer(words, instruction);
    words[this.#at(target)]! += units;
    words[this.#at(target) + 1]! |= ALLOCATED;
    words[this.#layout.buffers + buffer * this.#shape.ctas + cta] = units;
    return buffer;
  }

  /** A02: gives a physical buffer back; `false` if it was not allocated. */
  free(words: Int32Array, pool: number, buffer: number): boolean {
    const at = this.#layout.buffers + buffer;
    if (words[at] === 0) return false;
    words[this.#at(pool)]! -= words[at]!;
    words[at] = 0;
    return true;
  }

  /** A03: no role may allocate from the pool any more. */
  relinquish(words: Int32Array, pool: number): void {
    words[this.#at(pool) + 1]! |= RELINQUISHED;
  }

  /** A03: the pools that were allocated from and still may be, or that have not got all back. */
  unrelinquished(words: Int32Array): number[] {
    const pools = this.#shape.pools.length * this.#shape.ctas;
    return Array.from({ length: pools }, (_, pool) => pool).filter((pool) => {
      const at = this.#at(pool);
      return words[at + 1] === ALLOCATED || words[at] !== 0;
    });
  }

  /** Whether a physical buffer is there: not from a pool, or allocated. */
  isAllocated(words: Int32Array, buffer: number): boolean {
    return this.#isPooled[buffer] !== 1 || words[this.#layout.buffers + buffer] !== 0;
  }

  #at(pool: number): number {
    return this.#layout.pools + pool * 2;
  }

  #pool(pool: number): PoolShape {
    return this.#shape.pools[Math.floor(pool / this.#shape.ctas)]!;
  }

  #freeBuffer(words: Int32Array, { target, cta }: Instruction): number {
    for (const buffer of this.#pool(target).buffers) {
      if (words[this.#layout.buffers + buffer * this.#shape.ctas + cta] === 0) return buffer;
    }
    return -1;
  }
}
