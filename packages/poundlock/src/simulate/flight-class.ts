// How a copy is made: each kind has its own costs.
import {
  type Flight,
  FlightKind,
  type Instruction,
  type Machine,
} from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { spaceOf } from './accesses.ts';

/** What a flight is for the units of an SM. */
export const FlightClass = {
  /** One range of bytes (cp.async.bulk). */
  bulk: 0,
  /** A box of a tensor map (cp.async.bulk.tensor). */
  tensor: 1,
  /** By the threads themselves (cp.async). */
  threads: 2,
  /** From the shared memory of a CTA into that of another one. */
  peers: 3,
  /** From shared memory to global memory: its source is read, then it is done. */
  store: 4,
  /** Work of the tensor core. */
  matrix: 5,
  /** Between registers and tensor memory (tcgen05.ld, tcgen05.st). */
  registers: 6,
  signal: 7,
} as const;
export type FlightClass = (typeof FlightClass)[keyof typeof FlightClass];
const UNKNOWN = 255;
/** The most bytes of one cp.async. */
const THREAD_BYTES = 16;

/** Classifies the flights of a program by what they say of themselves. */
export class FlightClasses {
  /** Whether copies without a tensor map of their own are taken for tensor-map copies. */
  readonly isTensor: boolean;
  /** Whether they are so only until the tensor core works: `tiled` of version 0.1. */
  readonly isTiled: boolean;
  readonly #program: Program;
  readonly #machine: Machine;
  /** By number of a flight: its class; {@link UNKNOWN} until it is looked up. */
  #known = new Uint8Array(64).fill(UNKNOWN);

  constructor(program: Program, machine: Machine) {
    this.#program = program;
    this.#machine = machine;
    const { copies } = program.declarations.launch;
    // The clusters that 0.1 called tiled were measured with bulk copies, too.
    this.isTensor = copies === 'tensor' || (copies === 'tiled' && program.ctas === 1);
    this.isTiled = copies === 'tiled';
  }

  /** The class of an instruction's first flight; −1 if it has none. */
  ofInstruction(by: Instruction): FlightClass | -1 {
    const [first] = by.flights;
    return first === undefined ? -1 : this.of(this.#machine.flights.flights[first]!, by);
  }

  #isFromShared(by: Instruction): boolean {
    return by.reads.length > 0 && spaceOf(by, this.#program) === 'shared';
  }

  /** Of a copy by threads, 16 bytes of each at a time: the instructions of one thread; else 0. */
  threadCopies(instruction: Instruction): number {
    if (this.ofInstruction(instruction) !== FlightClass.threads) return 0;
    const { bytes } = this.#machine.flights.flights[instruction.flights[0]!]!;
    const { lanes } = this.#program.roles[instruction.role]!;
    return Math.ceil(bytes / (THREAD_BYTES * lanes));
  }

  /** Cycles of tensor-core work of an instruction, as the program specifies them. */
  workCycles(instruction: Instruction): number {
    if (this.ofInstruction(instruction) !== FlightClass.matrix) return 0;
    return this.#machine.flights.flights[instruction.flights[0]!]!.cycles;
  }

  /** The class of a flight by its number, which is looked up millions of times. */
  ofNumber(id: number, by: Instruction): FlightClass {
    const known = id < this.#known.length ? this.#known[id]! : UNKNOWN;
    return known === UNKNOWN ? this.#classify(id, by) : (known as FlightClass);
  }

  #classify(id: number, by: Instruction): FlightClass {
    if (id >= this.#known.length) {
      const more = new Uint8Array(Math.max(id + 1, this.#known.length * 2)).fill(UNKNOWN);
      more.set(this.#known);
      this.#known = more;
    }
    const found = this.of(this.#machine.flights.flights[id]!, by);
    this.#known[id] = found;
    return found;
  }

  of(flight: Flight, by: Instruction): FlightClass {
    const { kind, inOrder, proxy } = flight;
    const isWork = kind === FlightKind.copy || kind === FlightKind.use;
    // Threads copy by themselves (cp.async), in PTX as work of a unit in order.
    if (isWork && proxy === 'generic') return FlightClass.threads;
    if (kind === FlightKind.copy) {
      if (flight.barrier >= 0 && this.#isFromShared(by)) return FlightClass.peers;
      // A bulk store of a kernel that was read from PTX says its bytes; a prefetch has none.
      if (flight.barrier < 0 && flight.bytes > 0) return FlightClass.store;
      return by.hasMap || this.isTensor ? FlightClass.tensor : FlightClass.bulk;
    }
    if (kind !== FlightKind.use) return FlightClass.signal;
    if (inOrder) return FlightClass.matrix;
    return proxy === 'tensor' ? FlightClass.registers : FlightClass.store;
  }
}
