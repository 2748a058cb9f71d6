// The machine: the one place that says what an operation does to shared state.
import { OpKind } from '../op/index.ts';
import { arrive, arriveDrop, changeBytes, init, lifetimeFault, parityPasses } from './barrier.ts';
import { Fault } from './fault.ts';
import { FlightKind, FlightTable, launch, openGroups, removeFlight } from './flights.ts';
import type { Instruction } from './instruction.ts';
import { BARRIER_WORDS, E, INVALID, K, layOut, NAMED_BARRIERS, P, T } from './layout.ts';
import { SYNC_CLUSTER, SYNC_NONE, SYNC_RELEASED, type Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

const RARE: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.init,
  OpKind.invalidate,
  OpKind.arriveDrop,
  OpKind.store,
  OpKind.fetchAdd,
  OpKind.syncNamed,
  OpKind.arriveNamed,
  OpKind.syncCluster,
  OpKind.alloc,
  OpKind.free,
  OpKind.relinquish,
  OpKind.exit,
]);

/** The answer of an operation that cannot proceed now. */
export const BLOCKED = -0x80000000;

/**
 * Executes instructions on a state, which is a flat `Int32Array` that the caller owns. The machine
 * itself holds no state: only the static shape and the table of flights. After an operation,
 * `fault` says what was wrong and `faultAt` which physical barrier, buffer or pool it was.
 */
export class Machine {
  readonly shape: MachineShape;
  readonly layout: Layout;
  readonly flights = new FlightTable();
  fault: Fault = Fault.none;
  faultAt = -1;
  /**
   * Set by operations that write words which most programs never change: everything but pending
   * arrivals, bytes, phases and flights. Whoever watches such words clears it.
   */
  hasRareWrite = false;

  constructor(shape: MachineShape, base: number) {
    this.shape = shape;
    this.layout = layOut(shape, base);
  }

  /** The word index of a physical barrier. */
  barrierAt(barrier: number): number {
    return this.layout.barriers + barrier * BARRIER_WORDS;
  }

  /** Completed phases of a physical barrier. */
  completed(words: Int32Array, barrier: number): number {
    return words[this.barrierAt(barrier) + K]!;
  }

  /** M07, M09: whether a wait for absolute phase `phase` passes. */
  passes(words: Int32Array, barrier: number, phase: number): boolean {
    const completed = this.completed(words, barrier);
    const { mode } = this.shape.barriers[Math.floor(barrier / this.shape.ctas)]!;
    return mode === 'counter' ? completed > phase : parityPasses(completed, phase);
  }

  /**
   * Whether `instruction` can proceed. Waits on stages and tries are the system's, because they
   * read registers; it asks {@link passes}.
   */
  enabled(words: Int32Array, instruction: Instruction): boolean {
    const { kind, role } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
        return this.passes(words, instruction.target, instruction.value);
      case OpKind.waitGroup: {
        const at = this.layout.flights;
        return openGroups(this.flights, words, at, role, instruction.unit) <= instruction.count;
      }
      case OpKind.syncNamed:
      case OpKind.syncCluster: {
        const sync = words[this.layout.sync + role];
        return sync === SYNC_NONE || sync === SYNC_RELEASED;
      }
      case OpKind.alloc: {
        const at = this.layout.pools + instruction.target * 2;
        const pool = this.#pool(instruction.target);
        if (instruction.count > pool.capacity || words[at + 1] !== 0) return true;
        return (
          words[at]! + instruction.count <= pool.capacity &&
          this.#freeBuffer(words, instruction) >= 0
        );
      }
      default:
        return true;
    }
  }

  /**
   * Performs an enabled instruction of a role and returns its answer (0 where it has none), or
   * {@link BLOCKED} when the role has arrived at a named or cluster barrier and now waits there.
   */
  issue(words: Int32Array, instruction: Instruction): number {
    this.fault = Fault.none;
    const { kind, target, cta } = instruction;
    if (RARE.has(kind)) this.hasRareWrite = true;
    switch (kind) {
      case OpKind.init:
        return this.#init(words, instruction);
      case OpKind.invalidate:
        if (this.#reaches(words, target, cta)) words[this.barrierAt(target) + E] = INVALID;
        return 0;
      case OpKind.wait:
      case OpKind.waitParity:
        this.#reaches(words, target, cta);
        return 0;
      case OpKind.arrive:
        for (const barrier of instruction.barriers) {
          this.arriveAt(
            words,
            barrier,
            cta,
            instruction.count,
            instruction.value,
            instruction.bytes,
          );
        }
        return 0;
      case OpKind.expectTx:
      case OpKind.completeTx:
        for (const barrier of instruction.barriers) {
          this.#bytesAt(
            words,
            barrier,
            cta,
            kind === OpKind.expectTx ? instruction.bytes : -instruction.bytes,
          );
        }
        return 0;
      case OpKind.arriveDrop:
        if (this.#reaches(words, target, cta)) {
          const completed = this.completed(words, target);
          this.#report(arriveDrop(words, this.barrierAt(target), instruction.count), target);
          this.#checkBytes(words, target, completed);
        }
        return 0;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        for (const flight of instruction.flights) {
          launch(this.flights, words, this.layout.flights, flight);
        }
        return 0;
      case OpKind.read:
      case OpKind.write:
        for (const buffer of instruction.reads) this.#touch(words, buffer, cta);
        for (const buffer of instruction.writes) this.#touch(words, buffer, cta);
        return 0;
      case OpKind.store:
        words[this.layout.cells + target] = instruction.value;
        return 0;
      case OpKind.load:
        return words[this.layout.cells + target]!;
      case OpKind.fetchAdd: {
        const old = words[this.layout.cells + target]!;
        words[this.layout.cells + target] = old + instruction.count;
        return old;
      }
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
        return this.#named(words, instruction);
      case OpKind.syncCluster:
        return this.#cluster(words, instruction);
      case OpKind.alloc:
        return this.#alloc(words, instruction);
      case OpKind.free:
        return this.#free(words, instruction);
      case OpKind.relinquish:
        words[this.layout.pools + target * 2 + 1] = 1;
        return 0;
      case OpKind.exit:
        words[this.layout.ctas + cta * 2] = 1;
        return 0;
      default:
        return 0;
    }
  }

  /** Lands the flight at list position `index`, which {@link canLand} must allow. */
  land(words: Int32Array, index: number): void {
    this.fault = Fault.none;
    const at = this.layout.flights;
    const flight = this.flights.flights[words[at + 1 + index]!]!;
    removeFlight(this.flights, words, at, index);
    for (const buffer of flight.reads) this.#touch(words, buffer, flight.cta);
    for (const buffer of flight.writes) this.#touch(words, buffer, flight.cta);
    if (flight.cell >= 0) this.hasRareWrite = true;
    if (flight.cell >= 0) words[this.layout.cells + flight.cell] = flight.value;
    if (flight.barrier < 0 || this.fault !== Fault.none) return;
    if (flight.kind === FlightKind.signal)
      this.arriveAt(words, flight.barrier, flight.cta, 1, 1, 0);
    else this.#bytesAt(words, flight.barrier, flight.cta, -flight.bytes);
  }

  /** A role of `cta` has run its last operation. */
  endRole(words: Int32Array, role: number): void {
    this.hasRareWrite = true;
    words[this.layout.ctas + this.shape.roleCtas[role]! * 2 + 1]! -= 1;
    const { sync } = this.layout;
    for (let other = 0; other < this.shape.roleCtas.length; other++) {
      if (words[sync + other] === SYNC_CLUSTER) this.#report(Fault.divergentExit, role);
    }
  }

  /** M03: `lanes` threads each arrive `count` times on a physical barrier. */
  arriveAt(
    words: Int32Array,
    barrier: number,
    cta: number,
    count: number,
    lanes: number,
    bytes: number,
  ): void {
    if (!this.#reaches(words, barrier, cta)) return;
    const completed = this.completed(words, barrier);
    this.#report(arrive(words, this.barrierAt(barrier), count, lanes, bytes), barrier);
    this.#checkBytes(words, barrier, completed);
  }

  #bytesAt(words: Int32Array, barrier: number, cta: number, bytes: number): void {
    if (!this.#reaches(words, barrier, cta)) return;
    const completed = this.completed(words, barrier);
    changeBytes(words, this.barrierAt(barrier), bytes);
    this.#checkBytes(words, barrier, completed);
  }

  /** M11: a phase must not end while a copy that signals it is still under way. */
  #checkBytes(words: Int32Array, barrier: number, completedBefore: number): void {
    if (this.completed(words, barrier) === completedBefore) return;
    const at = this.layout.flights;
    for (let i = words[at]!; i > 0; i--) {
      const flight = this.flights.flights[words[at + i]!]!;
      if (flight.kind === FlightKind.copy && flight.barrier === barrier) {
        this.#report(Fault.txMismatch, barrier);
      }
    }
  }

  #report(fault: Fault, at: number): void {
    if (fault === Fault.none || this.fault !== Fault.none) return;
    this.fault = fault;
    this.faultAt = at;
  }

  /** L02: whether an operation from `cta` may touch something in `owner`. */
  #alive(words: Int32Array, owner: number, cta: number): boolean {
    const at = this.layout.ctas + owner * 2;
    return words[at] === 0 && (owner === cta || words[at + 1]! > 0);
  }

  /** L02: notes a fault when `cta` can not reach a barrier any more, or can not yet. */
  reach(words: Int32Array, barrier: number, cta: number): void {
    this.#reaches(words, barrier, cta);
  }

  #reaches(words: Int32Array, barrier: number, cta: number): boolean {
    const owner = barrier % this.shape.ctas;
    if (!this.#alive(words, owner, cta)) this.#report(Fault.missingDrain, barrier);
    this.#report(lifetimeFault(words, this.barrierAt(barrier)), barrier);
    return this.fault === Fault.none;
  }

  #touch(words: Int32Array, buffer: number, cta: number): void {
    if (!this.#alive(words, buffer % this.shape.ctas, cta))
      this.#report(Fault.missingDrain, buffer);
    const declared = Math.floor(buffer / this.shape.ctas);
    if (!this.shape.pools.some((pool) => pool.buffers.includes(declared))) return;
    if (words[this.layout.buffers + buffer] === 0) this.#report(Fault.useAfterFree, buffer);
  }

  #init(words: Int32Array, instruction: Instruction): number {
    const at = this.barrierAt(instruction.target);
    if (words[at + E]! > 0) this.#report(Fault.uninitialisedBarrier, instruction.target);
    init(words, at, instruction.count);
    return 0;
  }

  /** N01: arrivals of `value` threads at a named barrier of `count` threads. */
  #named(words: Int32Array, instruction: Instruction): number {
    const { role, target, count } = instruction;
    const at = this.layout.named + target * 2;
    const sync = this.layout.sync;
    if (words[sync + role] === SYNC_RELEASED) {
      words[sync + role] = SYNC_NONE;
      return 0;
    }
    if (words[at] !== 0 && words[at + 1] !== count)
      this.#report(Fault.namedBarrierMismatch, target);
    words[at]! += instruction.value;
    words[at + 1] = count;
    if (words[at]! > count) this.#report(Fault.namedBarrierMismatch, target);
    if (words[at]! >= count) {
      words[at] = 0;
      words[at + 1] = 0;
      this.#releaseAll(words, target + 1);
      return 0;
    }
    if (instruction.kind === OpKind.arriveNamed) return 0;
    words[sync + role] = target + 1;
    return BLOCKED;
  }

  /** N02: every role of the kernel arrives; none of them may have ended before. */
  #cluster(words: Int32Array, instruction: Instruction): number {
    const { sync } = this.layout;
    if (words[sync + instruction.role] === SYNC_RELEASED) {
      words[sync + instruction.role] = SYNC_NONE;
      return 0;
    }
    words[sync + instruction.role] = SYNC_CLUSTER;
    let waiting = 0;
    let living = 0;
    const roles = this.shape.roleCtas.length;
    for (let role = 0; role < roles; role++) if (words[sync + role] === SYNC_CLUSTER) waiting++;
    for (let cta = 0; cta < this.shape.ctas; cta++)
      living += words[this.layout.ctas + cta * 2 + 1]!;
    if (living < roles) this.#report(Fault.divergentExit, instruction.role);
    if (waiting < living) return BLOCKED;
    this.#releaseAll(words, SYNC_CLUSTER);
    words[sync + instruction.role] = SYNC_NONE;
    return 0;
  }

  #releaseAll(words: Int32Array, waitingFor: number): void {
    const { sync } = this.layout;
    for (let role = 0; role < this.shape.roleCtas.length; role++) {
      if (words[sync + role] === waitingFor) words[sync + role] = SYNC_RELEASED;
    }
  }

  #pool(pool: number) {
    return this.shape.pools[Math.floor(pool / this.shape.ctas)]!;
  }

  /** The first free buffer of a pool, as a declared id, or −1. */
  #freeBuffer(words: Int32Array, instruction: Instruction): number {
    for (const buffer of this.#pool(instruction.target).buffers) {
      const at = this.layout.buffers + buffer * this.shape.ctas + instruction.cta;
      if (words[at] === 0) return buffer;
    }
    return -1;
  }

  /** A01: units and a buffer are taken; asking for more than there is, or after relinquish, faults. */
  #alloc(words: Int32Array, instruction: Instruction): number {
    const { target, count, cta } = instruction;
    const at = this.layout.pools + target * 2;
    if (count > this.#pool(target).capacity || words[at + 1] !== 0) {
      this.#report(Fault.capacity, target);
      return 0;
    }
    const buffer = this.#freeBuffer(words, instruction);
    words[at]! += count;
    words[this.layout.buffers + buffer * this.shape.ctas + cta] = count;
    return buffer;
  }

  #free(words: Int32Array, instruction: Instruction): number {
    const [buffer = 0] = instruction.writes;
    const at = this.layout.buffers + buffer;
    if (words[at] === 0) this.#report(Fault.doubleFree, buffer);
    words[this.layout.pools + instruction.target * 2]! -= words[at]!;
    words[at] = 0;
    return 0;
  }

  /** M13: what is not as it was at the start: the physical barriers that are not quiescent. */
  restless(words: Int32Array): number[] {
    const found: number[] = [];
    for (let barrier = 0; barrier < this.shape.barriers.length * this.shape.ctas; barrier++) {
      const at = this.barrierAt(barrier);
      if (words[at + E]! > 0 && (words[at + P] !== words[at + E] || words[at + T] !== 0)) {
        found.push(barrier);
      }
    }
    return found;
  }
}

export { NAMED_BARRIERS };
