// What each operation reads, writes and signals, and whose life it needs: why two of them depend.
import type { Flight, Instruction, Machine } from '@poundlock/core/internal/machine';
import { OpKind, type OpName } from '@poundlock/core/internal/op';

/** What is read and written; `all`: more than is followed, so that the operation is made alone. */
type Resource =
  | 'buffers'
  | 'allocated'
  | 'cell'
  | 'pools'
  | 'freed'
  | 'named'
  | 'registers'
  | 'claims'
  | 'all'
  | '';
/** What an operation does to phases of barriers, or wants to know of one. */
export type PhaseUse =
  | 'waits'
  | 'tries'
  | 'arrives'
  | 'expects'
  | 'completes'
  | 'launches'
  /** A life of the barrier begins or ends. */
  | 'begins'
  | '';
/** What of another CTA it may reach, which must not have ended (L02). */
type Need = 'barriers' | 'buffers' | 'flights' | '';

type Row = readonly [reads: Resource, writes: Resource, phases: PhaseUse, needs: Need];
type Visible = Exclude<OpName, 'own' | 'use' | 'disown' | 'loop'>;

/**
 * The table from which dependence is derived: two operations conflict where one writes what the
 * other reads or writes. Signals are added up, and conflict as `contribution-bounds.ts` says.
 */
const ROWS: Readonly<Record<Visible, Row>> = {
  init: ['', '', 'begins', 'barriers'],
  invalidate: ['', '', 'begins', 'barriers'],
  // Lifetimes, and roles: their effects on others are not followed.
  arriveDrop: ['', 'all', '', 'barriers'],
  spawn: ['', 'all', '', ''],
  exit: ['', 'all', '', ''],
  wait: ['', '', 'waits', 'barriers'],
  waitParity: ['', '', 'waits', 'barriers'],
  waitStage: ['', '', 'waits', 'barriers'],
  tryWait: ['', '', 'tries', 'barriers'],
  tryWaitStage: ['', '', 'tries', 'barriers'],
  tryClaim: ['', 'claims', 'tries', 'barriers'],
  arrive: ['', '', 'arrives', 'barriers'],
  expectTx: ['', '', 'expects', 'barriers'],
  completeTx: ['', '', 'completes', 'barriers'],
  // What a flight touches it touches as it completes.
  asyncCopy: ['', '', 'launches', 'flights'],
  asyncUse: ['', '', 'launches', 'flights'],
  commit: ['', '', 'launches', 'flights'],
  read: ['allocated', 'buffers', '', 'buffers'],
  write: ['allocated', 'buffers', '', 'buffers'],
  load: ['cell', '', '', ''],
  store: ['', 'cell', '', ''],
  fetchAdd: ['', 'cell', '', ''],
  alloc: ['', 'pools', '', ''],
  relinquish: ['', 'pools', '', ''],
  free: ['', 'freed', '', ''],
  syncNamed: ['', 'named', '', ''],
  arriveNamed: ['', 'named', '', ''],
  // I12: what is given only helps, and what is taken may be missing elsewhere.
  giveRegisters: ['', '', '', ''],
  takeRegisters: ['', 'registers', '', ''],
  syncCluster: ['', 'all', '', ''],
  // I13: arrivals are added up, and a wait that can pass is its role's own business.
  arriveCluster: ['', '', '', ''],
  waitCluster: ['', '', '', ''],
  launchDependents: ['', '', '', ''],
  waitGrids: ['', '', '', ''],
  // I1: the role's own business.
  choose: ['', '', '', ''],
  waitGroup: ['', '', '', ''],
  join: ['', '', '', ''],
  // P10: made together with the step before.
  fence: ['', 'all', '', ''],
  compute: ['', 'all', '', ''],
  more: ['', 'all', '', ''],
  step: ['', 'all', '', ''],
  stage: ['', 'all', '', ''],
};
const ROW_OF = new Map<number, Row>(
  Object.entries(ROWS).map(([name, row]) => [OpKind[name as Visible], row]),
);

/** What an operation, or the completion of a flight, touches, as numbers. */
export interface Footprint {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Whether it is made alone: it depends on all that other agents can do. */
  readonly isAlone: boolean;
  readonly phases: PhaseUse;
  /** The other CTAs in which it reaches something: none of them must have ended. */
  readonly lives: readonly number[];
}

/** Whether one of two writes what the other reads or writes. */
export function conflicts(one: Footprint, other: Footprint): boolean {
  return (
    overlap(one.writes, other.writes) ||
    overlap(one.writes, other.reads) ||
    overlap(one.reads, other.writes)
  );
}

function overlap(one: readonly number[], other: readonly number[]): boolean {
  for (let i = 0; i < one.length; i++) if (other.includes(one[i]!)) return true;
  return false;
}

/** The footprints of operations and flights of a machine, each computed once. */
export class Footprints {
  readonly #machine: Machine;
  readonly #ctas: number;
  readonly #ofInstructions = new Map<Instruction, Footprint>();
  readonly #ofFlights: (Footprint | undefined)[] = [];

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#ctas = machine.shape.ctas;
  }

  /** Of an operation. */
  of(instruction: Instruction): Footprint {
    let known = this.#ofInstructions.get(instruction);
    if (known === undefined) {
      known = this.#make(instruction);
      this.#ofInstructions.set(instruction, known);
    }
    return known;
  }

  /** Of the completion of a flight. */
  ofFlight(id: number): Footprint {
    return (this.#ofFlights[id] ??= this.#makeOfFlight(this.#machine.flights.flights[id]!));
  }

  #make(instruction: Instruction): Footprint {
    const [reads, writes, phases, needs] = ROW_OF.get(instruction.kind)!;
    const isAlone = reads === 'all' || writes === 'all';
    const lives = this.#livesOf(instruction, needs);
    return {
      reads: this.#resources(reads, instruction, instruction.reads),
      writes: this.#resources(writes, instruction, instruction.writes),
      isAlone,
      phases,
      lives,
    };
  }

  #makeOfFlight(flight: Flight): Footprint {
    const { reads, writes, cell } = flight;
    const touched = reads.length + writes.length > 0;
    return {
      reads: [...reads.map(buffer), ...(touched ? [POOLS] : [])],
      writes: [...writes.map(buffer), ...(cell < 0 ? [] : [resource(CELL, cell)])],
      isAlone: false,
      phases: '',
      lives: this.#others(flight.cta, [...reads, ...writes, flight.barrier]),
    };
  }

  #livesOf({ cta, barriers, reads, writes, flights }: Instruction, needs: Need): readonly number[] {
    switch (needs) {
      case 'barriers':
        return this.#others(cta, barriers);
      case 'buffers':
        return this.#others(cta, [...reads, ...writes]);
      case 'flights': {
        const own = this.#others(cta, barriers);
        return [...new Set([...own, ...flights.flatMap((id) => this.ofFlight(id).lives)])];
      }
      case '':
        return [];
    }
  }

  /** I6, I7, I9, I12, R05: what a word of the table stands for in an operation. */
  #resources(what: Resource, instruction: Instruction, buffers: readonly number[]): number[] {
    const { target, cta } = instruction;
    switch (what) {
      case 'buffers':
        return buffers.map(buffer);
      // What is accessed must be allocated.
      case 'allocated':
        return [...buffers.map(buffer), POOLS];
      case 'freed':
        return [...buffers.map(buffer), POOLS];
      case 'cell':
        return [resource(CELL, target)];
      case 'pools':
        return [POOLS];
      case 'named':
        return [resource(NAMED, target)];
      case 'registers':
        return [resource(REGISTERS, cta)];
      case 'claims':
        return [resource(CLAIMS, target * this.#ctas + cta)];
      case 'all':
      case '':
        return [];
    }
  }

  #others(cta: number, ids: readonly number[]): number[] {
    const ctas = ids.filter((id) => id >= 0).map((id) => id % this.#ctas);
    return [...new Set(ctas)].filter((other) => other !== cta);
  }
}

const [BUFFER, CELL, POOL, NAMED, REGISTERS, CLAIMS] = [0, 1, 2, 3, 4, 5];
const KINDS = 6;
const resource = (kind: number, id: number): number => id * KINDS + kind;
const buffer = (id: number): number => resource(BUFFER, id);
/** All pools are one: they hand out buffers, which must be allocated while they are accessed. */
const POOLS = resource(POOL, 0);
