// A bare machine on a workbench: issues single instructions and reads what they changed.
import { OpKind } from '#src/op/index';
import {
  Machine,
  MAX_FLIGHTS,
  NAMED_BARRIERS,
  writeInitial,
  type BarrierMode,
  type Fault,
  type Instruction,
  type MachineShape,
} from '#src/machine/index';

/** What the machine is made of; one CTA with two roles and nothing else unless said otherwise. */
export type Parts = Partial<MachineShape>;

export class Bench {
  readonly machine: Machine;
  readonly words: Int32Array;

  /** `base` words come before those of the machine, as a system's registers do. */
  constructor(parts: Parts, base = 0) {
    const ctas = parts.ctas ?? 1;
    const roleCtas = parts.roleCtas ?? [0, ctas - 1];
    this.machine = new Machine(
      { ...NOTHING, ctas, roleCtas, grids: [wholeGrid(ctas)], ...parts },
      base,
    );
    this.words = new Int32Array(this.machine.layout.flights + 1 + MAX_FLIGHTS);
    writeInitial(this.machine.shape, this.machine.layout, this.words);
  }

  /** An instruction of role 0 in its CTA, with the fields that matter. */
  make(kind: Instruction['kind'], fields: Partial<Instruction> = {}): Instruction {
    const { role = 0 } = fields;
    const cta = this.machine.shape.roleCtas[role]!;
    return { ...NO_OPERANDS, kind, cta, ...fields };
  }

  /** Issues an instruction and returns its answer; {@link fault} says what was wrong. */
  issue(kind: Instruction['kind'], fields: Partial<Instruction> = {}): number {
    return this.machine.issue(this.words, this.make(kind, fields));
  }

  /** Issues an instruction and returns what was wrong with it. */
  faultOf(kind: Instruction['kind'], fields: Partial<Instruction> = {}): Fault {
    this.issue(kind, fields);
    return this.machine.fault;
  }

  enabled(kind: Instruction['kind'], fields: Partial<Instruction> = {}): boolean {
    return this.machine.enabled(this.words, this.make(kind, fields));
  }

  /** One thread arrives on a physical barrier, unless `fields` say more. */
  arrive(barrier: number, fields: Partial<Instruction> = {}): Fault {
    return this.faultOf(OpKind.arrive, { barriers: [barrier], arrivals: 1, lanes: 1, ...fields });
  }

  /** Expected and pending arrivals, missing bytes and completed phases of a physical barrier. */
  barrier(barrier: number): number[] {
    const at = this.machine.barrierAt(barrier);
    return [...this.words.subarray(at, at + 4)];
  }
}

/** The fields of an instruction that uses none. */
export const NO_OPERANDS: Instruction = {
  kind: OpKind.compute,
  role: 0,
  cta: 0,
  target: -1,
  barriers: [],
  arrivals: 0,
  lanes: 0,
  threads: 0,
  bytes: 0,
  phase: 0,
  parity: 0,
  side: 0,
  past: -1,
  isAssumed: false,
  isDraining: false,
  stored: 0,
  amount: 0,
  units: 0,
  inFlight: 0,
  choices: 0,
  cycles: 0,
  unit: -1,
  reading: -1,
  team: [],
  reads: [],
  writes: [],
  named: [],
  flights: [],
  order: 0,
  fence: -1,
  space: 0,
  isRaw: false,
  isDivergent: false,
  isPossible: false,
  isOfStore: false,
  hasMap: false,
};

/** A machine with nothing in it. */
export const NOTHING = {
  barriers: [],
  cells: [],
  buffers: 0,
  named: NAMED_BARRIERS,
  globals: [],
  registers: null,
  pools: [],
} as const;

/** The one grid of a program. */
export function wholeGrid(ctas: number): { first: number; end: number } {
  return { first: 0, end: ctas };
}

/** Barriers that take `count` arrivals each. */
export function barriersOf(
  counts: readonly number[],
  mode: BarrierMode = 'parity',
): MachineShape['barriers'] {
  return counts.map((count) => ({ count, mode }));
}
