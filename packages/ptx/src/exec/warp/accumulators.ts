// Registers that wgmma may still write: what the warps do with them before the wait for its group.
import { operationOf } from '../../isa/questions.ts';
import { readsOf } from '../../flow/liveness.ts';
import type { Instruction, Operand, PtxFunction } from '../../text/module.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Warp } from './warp.ts';

/** What an instruction does with such registers, or with the groups of wgmma. */
type Use =
  | {
      readonly kind: 'multiply';
      readonly results: readonly number[];
      readonly a: readonly number[];
    }
  | { readonly kind: 'commit' }
  | { readonly kind: 'wait'; readonly pending: number }
  | { readonly kind: 'move'; readonly from: readonly number[]; readonly to: readonly number[] }
  | { readonly kind: 'use'; readonly reads: readonly number[]; readonly writes: readonly number[] };

/** By instruction; `null` for those that do nothing of the kind. */
export type AccumulatorUses = readonly (Use | null)[];

function registersOf(operand: Operand | undefined): number[] {
  if (operand?.kind === 'register') return [operand.register];
  return operand?.kind === 'vector' ? operand.elements.flatMap(registersOf) : [];
}

function isMultiply({ effect }: Instruction): boolean {
  return effect.kind === 'wgmma' && effect.op === 'multiply';
}

/** What instructions do with results of wgmma; `null` for a kernel without it. */
export function accumulatorUses({ instructions }: PtxFunction): AccumulatorUses | null {
  const followed = new Set(
    instructions.filter(isMultiply).flatMap(({ operands }) => registersOf(operands[0])),
  );
  if (followed.size === 0) return null;
  const moves = instructions.filter((each) => operationOf(each) === 'mov');
  // A copy of a register that is still written is none of its value: compilers make one per round.
  for (let size = -1; size < followed.size;) {
    size = followed.size;
    for (const move of moves)
      if (readsOf(move).some((register) => followed.has(register)))
        for (const register of destinationsOf(move)) followed.add(register);
  }
  return instructions.map((each) => useOf(each, followed));
}

function useOf(instruction: Instruction, followed: ReadonlySet<number>): Use | null {
  const { effect, operands } = instruction;
  if (isMultiply(instruction)) {
    const a = operands[1]?.kind === 'vector' ? registersOf(operands[1]) : [];
    return { kind: 'multiply', results: registersOf(operands[0]), a };
  }
  if (effect.kind === 'group' && effect.unit === 'wgmma') {
    if (effect.op === 'commit') return { kind: 'commit' };
    const [count] = operands;
    return { kind: 'wait', pending: count?.kind === 'immediate' ? count.value.low : 0 };
  }
  const reads = readsOf(instruction).filter((register) => followed.has(register));
  const writes = destinationsOf(instruction).filter((register) => followed.has(register));
  if (reads.length + writes.length === 0) return null;
  if (operationOf(instruction) === 'mov') return { kind: 'move', from: reads, to: writes };
  return { kind: 'use', reads, writes };
}

const TOO_EARLY = 'a result of wgmma is used before the wait for its group';
const RULE =
  'registers of wgmma.mma_async may be accessed after the wgmma.wait_group for its group';

/** The registers of one warp that are in flight, by the group of their work. */
export class Accumulators {
  readonly #uses: AccumulatorUses;
  /** By register: the number of its group. */
  readonly #groups = new Map<number, number>();
  #committed = 0;

  constructor(uses: AccumulatorUses) {
    this.#uses = uses;
  }

  /** What later uses depend on. */
  get text(): string {
    const open = [...this.#groups].map(([register, group]) => [register, this.#committed - group]);
    return open.toSorted(([one], [other]) => one! - other!).join(' ');
  }

  /** The warp executes an instruction. */
  pass(warp: Warp, at: number): void {
    const use = this.#uses[at]!;
    if (use === null) return;
    switch (use.kind) {
      case 'multiply':
        this.#read(warp, at, use.a);
        for (const register of use.results) this.#groups.set(register, this.#committed);
        return;
      case 'commit':
        this.#committed++;
        return;
      case 'wait':
        for (const [register, group] of this.#groups)
          if (group < this.#committed - use.pending) this.#groups.delete(register);
        return;
      case 'move': {
        const groups = use.from.flatMap((register) => this.#groups.get(register) ?? []);
        for (const register of use.to)
          if (groups.length === 0) this.#groups.delete(register);
          else this.#groups.set(register, Math.max(...groups));
        return;
      }
      case 'use':
        this.#read(warp, at, use.reads);
        for (const register of use.writes) this.#groups.delete(register);
    }
  }

  #read(warp: Warp, at: number, registers: readonly number[]): void {
    if (registers.some((register) => this.#groups.has(register)))
      warp.machine.misuse('register-in-flight', at, TOO_EARLY, RULE, warp);
  }
}
