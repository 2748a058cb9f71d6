// Registers that wgmma or a load of tensor memory may still use: what a warp does with them before
// the wait for that work, or without the fence before a wgmma.
import { breach } from '../machine/practices.ts';
import { operationOf } from '../../isa/questions.ts';
import { readsOf } from '../../flow/liveness.ts';
import type { WarpgroupMatrix } from '../../isa/effect.ts';
import type { Instruction, Operand, PtxFunction } from '../../text/module.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Warp } from './warp.ts';

/** What an instruction does with such registers, or with the work that uses them. */
type Use =
  | {
      readonly kind: 'multiply';
      readonly results: readonly number[];
      readonly a: readonly number[];
      readonly shape: string;
    }
  | { readonly kind: 'fence' }
  | { readonly kind: 'commit' }
  | { readonly kind: 'wait'; readonly pending: number }
  | { readonly kind: 'wait load' }
  | ({ readonly kind: 'move' | 'load' | 'use' } & Touched);

/** Registers that an instruction reads and writes as it is executed. */
interface Touched {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** By instruction; `null` for those that do nothing of the kind. */
export type RegisterUses = readonly (Use | null)[];

function registersOf(operand: Operand | undefined): number[] {
  if (operand?.kind === 'register') return [operand.register];
  return operand?.kind === 'vector' ? operand.elements.flatMap(registersOf) : [];
}

function isMultiply({ effect }: Instruction): boolean {
  return effect.kind === 'wgmma' && effect.op === 'multiply';
}

function isTensorLoad({ effect }: Instruction): boolean {
  return effect.kind === 'tcgen05' && effect.op === 'load';
}

function fragmentOf({ operands }: Instruction): number[] {
  return operands[1]?.kind === 'vector' ? registersOf(operands[1]) : [];
}

/** What instructions do with registers of asynchronous work; `null` for a kernel without any. */
export function registerUses({ instructions }: PtxFunction): RegisterUses | null {
  const multiplies = instructions.filter(isMultiply);
  const followed = new Set(multiplies.flatMap(({ operands }) => registersOf(operands[0])));
  const moves = instructions.filter((each) => operationOf(each) === 'mov');
  // A copy of a register that is still written is none of its value: compilers make one per round.
  for (let size = -1; size < followed.size;) {
    size = followed.size;
    for (const move of moves)
      if (readsOf(move).some((register) => followed.has(register)))
        for (const register of destinationsOf(move)) followed.add(register);
  }
  const loaded = instructions.filter(isTensorLoad).flatMap(destinationsOf);
  for (const register of [...multiplies.flatMap(fragmentOf), ...loaded]) followed.add(register);
  if (followed.size === 0) return null;
  return instructions.map((each) => useOf(each, followed));
}

function useOf(instruction: Instruction, followed: ReadonlySet<number>): Use | null {
  const { effect, operands } = instruction;
  if (effect.kind === 'wgmma') {
    if (effect.op === 'fence') return { kind: 'fence' };
    const results = registersOf(operands[0]);
    return { kind: 'multiply', results, a: fragmentOf(instruction), shape: shapeOf(effect) };
  }
  if (effect.kind === 'group' && effect.unit === 'wgmma') {
    if (effect.op === 'commit') return { kind: 'commit' };
    const [count] = operands;
    return { kind: 'wait', pending: count?.kind === 'immediate' ? count.value.low : 0 };
  }
  if (effect.kind === 'tcgen05' && effect.op === 'wait load') return { kind: 'wait load' };
  const reads = readsOf(instruction).filter((register) => followed.has(register));
  const writes = destinationsOf(instruction).filter((register) => followed.has(register));
  if (reads.length + writes.length === 0) return null;
  if (isTensorLoad(instruction)) return { kind: 'load', reads, writes };
  return { kind: operationOf(instruction) === 'mov' ? 'move' : 'use', reads, writes };
}

/** Work of one shape accumulates in order; that of several shapes does not. */
function shapeOf({ columns, depth, types, isSparse }: WarpgroupMatrix): string {
  return [columns, depth, isSparse, ...types.map(({ name }) => name)].join(' ');
}

const RESULT = 'a result of wgmma is used before the wait for its group';
const FRAGMENT = 'a register of matrix A is written while a wgmma may read it';
const GROUP_RULE =
  'registers of wgmma.mma_async may be accessed after the wgmma.wait_group for its group';
const LOAD_RULE = 'registers of tcgen05.ld may be accessed after tcgen05.wait::ld';
const FIRST = 'a wgmma has no wgmma.fence before it';
const UNFENCED = 'a wgmma uses registers that threads accessed after the last wgmma.fence';
const SHAPES = 'a wgmma of another shape uses an accumulator without wgmma.fence in between';
const FENCE_RULE =
  'wgmma.fence comes before the first wgmma.mma_async, and behind other accesses to its registers';

/** The work that may still write a register. */
interface Flight {
  readonly group: number;
  /** Whether it is a copy of a register that is written, which is none of the work. */
  readonly isCopy: boolean;
}

/** The registers of one warp that are in flight. */
export class RegistersInFlight {
  readonly #uses: RegisterUses;
  readonly #written = new Map<number, Flight>();
  /** Fragments of A, by the last group that reads them. */
  readonly #read = new Map<number, number>();
  #committed = 0;
  /** Registers of tcgen05.ld before the wait for it. */
  readonly #loaded = new Set<number>();
  /** Registers that threads have accessed since the last wgmma.fence; `null`: there was none. */
  #touched: Set<number> | null = null;
  /** By register, the shape of the work that accumulates in it since the last wgmma.fence. */
  readonly #shapes = new Map<number, string>();

  constructor(uses: RegisterUses) {
    this.#uses = uses;
  }

  /** What later uses depend on. */
  get text(): string {
    const written = [...this.#written].map(([register, { group, isCopy }]) => {
      return [register, this.#committed - group, isCopy].join();
    });
    const read = [...this.#read].map(
      ([register, group]) => `${register},${this.#committed - group}`,
    );
    const touched = this.#touched === null ? ['none'] : [...this.#touched];
    const all = [written, read, [...this.#loaded], touched, [...this.#shapes]];
    return all.map((part) => part.map(String).toSorted().join(' ')).join('/');
  }

  /** The warp executes an instruction. */
  pass(warp: Warp, at: number): void {
    const use = this.#uses[at]!;
    if (use === null) return;
    switch (use.kind) {
      case 'multiply':
        return this.#multiply(warp, at, use);
      case 'fence':
        return this.#fence();
      case 'commit':
        this.#committed++;
        return;
      case 'wait':
        return this.#wait(this.#committed - use.pending);
      case 'wait load':
        return this.#loaded.clear();
      case 'move':
        this.#touch(use);
        this.#access(warp, at, [], use.writes);
        this.#requireLoaded(warp, at, use);
        return this.#move(warp, at, use);
      case 'load':
      case 'use': {
        this.#touch(use);
        this.#access(warp, at, use.reads, use.writes);
        this.#requireLoaded(warp, at, use);
        if (use.writes.some((register) => this.#written.get(register)?.isCopy === false))
          this.#report(warp, at, RESULT, GROUP_RULE);
        for (const register of use.writes) {
          this.#written.delete(register);
          if (use.kind === 'load') this.#loaded.add(register);
        }
      }
    }
  }

  #multiply(
    warp: Warp,
    at: number,
    { results, a, shape }: Extract<Use, { kind: 'multiply' }>,
  ): void {
    this.#access(warp, at, a, []);
    this.#requireFence(warp, [...results, ...a]);
    const isOther = results.some((each) => (this.#shapes.get(each) ?? shape) !== shape);
    if (isOther) this.#unfenced(warp, SHAPES);
    for (const register of a) this.#read.set(register, this.#committed);
    for (const register of results) {
      this.#written.set(register, { group: this.#committed, isCopy: false });
      this.#shapes.set(register, shape);
    }
  }

  #requireFence(warp: Warp, registers: readonly number[]): void {
    if (this.#touched === null) this.#unfenced(warp, FIRST);
    else if (registers.some((register) => this.#touched!.has(register)))
      this.#unfenced(warp, UNFENCED);
  }

  /** A fence is missing, which ptxas adds. */
  #unfenced(warp: Warp, text: string): void {
    const certain = warp.machine.certainty(warp, FENCE_RULE);
    breach(warp, 'H21', { rule: 'missing-wgmma-fence', text, ...(certain && { certain }) });
    this.#fence();
  }

  #fence(): void {
    this.#touched = new Set();
    this.#shapes.clear();
  }

  #touch({ reads, writes }: Touched): void {
    for (const register of [...reads, ...writes]) this.#touched?.add(register);
  }

  /** Groups before one are complete. */
  #wait(first: number): void {
    for (const [register, { group }] of this.#written)
      if (group < first) this.#written.delete(register);
    for (const [register, group] of this.#read) if (group < first) this.#read.delete(register);
  }

  /** What is copied from a register that is still written is no more complete than it. */
  #move(warp: Warp, at: number, { reads, writes }: Touched): void {
    const groups = reads.flatMap((register) => this.#written.get(register)?.group ?? []);
    for (const register of writes) {
      const isResult = this.#written.get(register)?.isCopy === false;
      if (groups.length > 0) {
        const group = Math.max(...groups);
        this.#written.set(register, { group, isCopy: !isResult });
        continue;
      }
      if (isResult) this.#report(warp, at, RESULT, GROUP_RULE);
      this.#written.delete(register);
    }
  }

  /** Reads of what wgmma still writes, and writes of what it still reads. */
  #access(warp: Warp, at: number, reads: readonly number[], writes: readonly number[]): void {
    if (reads.some((register) => this.#written.has(register)))
      this.#report(warp, at, RESULT, GROUP_RULE);
    if (writes.some((register) => this.#read.has(register)))
      this.#report(warp, at, FRAGMENT, GROUP_RULE);
  }

  #requireLoaded(warp: Warp, at: number, { reads, writes }: Touched): void {
    const isRead = reads.some((register) => this.#loaded.has(register));
    if (!isRead && !writes.some((register) => this.#loaded.has(register))) return;
    const what = isRead ? 'read' : 'written';
    const text = `a register of tcgen05.ld is ${what} before tcgen05.wait::ld`;
    this.#report(warp, at, text, LOAD_RULE);
  }

  #report(warp: Warp, at: number, text: string, rule: string): void {
    warp.machine.misuse('register-in-flight', at, text, rule, warp);
  }
}
