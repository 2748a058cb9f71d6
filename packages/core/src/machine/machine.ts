// The machine: defines what every operation does to shared state.
import { InvariantError, unreachable } from '../base/index.ts';
import { OpKind, type PostedKind, type SilentKind } from '../op/index.ts';
import { arrive, arriveDrop, changeBytes, init, lifetimeFault } from './barrier.ts';
import { MAX_PENDING, parityPasses, signal } from './barrier.ts';
import { Fault } from './fault.ts';
import { FlightTable, USES_OWN_CTA, type Flight } from './flight-table.ts';
import { OpenFlights } from './flights.ts';
import { anyAtCluster, arriveAtCluster, canGather, Gathered } from './gathering.ts';
import { endAtCluster, gatherCluster, gatherNamed, leaveCluster } from './gathering.ts';
import type { Instruction } from './instruction.ts';
import { Pools } from './pools.ts';
import { Journal } from './journal.ts';
import { BARRIER_WORDS, E, INVALID, K, layOut, P, type Layout } from './layout.ts';
import { SYNC_CLUSTER } from './layout.ts';
import { isCtaOver, restlessBarriers, unfilledNamed } from './leftovers.ts';
import { requireCell } from './cell.ts';
import { barrierEnds, endWords, NEVER } from './cta-ends.ts';
import { mayFollow } from './grids.ts';
import { noteRare, type RareKind } from './rare-words.ts';
import { RegisterPool } from './register-pool.ts';
import type { BarrierMode, MachineShape } from './shape.ts';

const NOWHERE = -1;
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
  readonly flights: FlightTable;
  /** The open flights of a state. */
  readonly openFlights: OpenFlights;
  readonly #pools: Pools;
  readonly registers: RegisterPool;
  fault: Fault = Fault.none;
  faultAt = -1;
  /** What operations wrote. Its readers clear it. */
  readonly journal = new Journal();
  /** Set when a phase completes or a life ends. Its readers clear it. */
  hasCompleted = false;
  /** The one barrier whose phase completed since, −1 when there may be others. */
  completedAt = NOWHERE;

  /** By physical barrier: the word of its CTA's end, and whether waits test a counter. */
  readonly #endOf: Int32Array;
  readonly #counts: Uint8Array;
  /** By physical buffer: the word of its CTA's end. */
  readonly #bufferEndOf: Int32Array;

  constructor(shape: MachineShape, base: number) {
    this.shape = shape;
    this.flights = new FlightTable(shape.ctas, shape.globals);
    this.layout = layOut(shape, base);
    this.openFlights = new OpenFlights(this.flights, this.layout.flights);
    this.#pools = new Pools(shape, this.layout);
    this.registers = new RegisterPool(shape, this.layout);
    this.#endOf = barrierEnds(shape, this.layout);
    this.#bufferEndOf = endWords(shape, this.layout, shape.buffers, shape.globals);
    const isCounter = (_: number, id: number): number => Number(this.modeOf(id) === 'counter');
    this.#counts = Uint8Array.from(this.#endOf, isCounter);
  }

  /** The word index of a physical barrier. */
  barrierAt(barrier: number): number {
    return this.layout.barriers + barrier * BARRIER_WORDS;
  }

  /** Completed phases of a physical barrier. */
  completed(words: Int32Array, barrier: number): number {
    return words[this.barrierAt(barrier) + K]!;
  }

  /** How waits test a physical barrier. */
  modeOf(barrier: number): BarrierMode {
    return this.shape.barriers[Math.floor(barrier / this.shape.ctas)]!.mode;
  }

  /** Whether no role is left at a named barrier, or at the cluster's (−1): it has completed. */
  isGathered(words: Int32Array, named: number): boolean {
    return named < 0 || words[this.layout.named + named * 2] === 0;
  }

  /** S01, A02, L02: notes a fault when a physical buffer can not be touched from `cta`. */
  touchBuffer(words: Int32Array, buffer: number, cta: number): void {
    this.#touch(words, buffer, cta);
  }

  /** M02, L02: why a barrier can not be reached from its own CTA now, if it can not. */
  lifeFault(words: Int32Array, barrier: number): Fault {
    const isOver = (words[this.#endOf[barrier]!] ?? 0) !== 0;
    return isOver ? Fault.missingDrain : lifetimeFault(words, this.barrierAt(barrier));
  }

  /** M07, M09: whether a wait for absolute phase `phase` passes. */
  passes(words: Int32Array, barrier: number, phase: number): boolean {
    const completed = this.completed(words, barrier);
    return this.isCounter(barrier) ? completed > phase : parityPasses(completed, phase);
  }

  /** M09: whether waits compare a physical barrier's phases and not their parity. */
  isCounter(barrier: number): boolean {
    return this.#counts[barrier] === 1;
  }

  /**
   * Whether `instruction` can proceed; whether a try for a phase would succeed. What registers and
   * roles decide is the system's: see `WaitConditions`.
   */
  enabled(words: Int32Array, instruction: Instruction): boolean {
    const { kind, role } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.tryWait:
        return this.passes(words, instruction.target, instruction.phase);
      case OpKind.waitParity:
        return this.passes(words, instruction.target, instruction.parity);
      case OpKind.waitGroup:
        return this.openFlights.permits(words, instruction);
      case OpKind.syncNamed:
      case OpKind.syncCluster:
        return canGather(words, this.layout, role);
      case OpKind.alloc:
        return this.#pools.canAllocate(words, instruction);
      case OpKind.waitCluster:
        return words[this.layout.cluster + role] !== SYNC_CLUSTER;
      case OpKind.takeRegisters:
        return this.registers.canTake(words, instruction);
      case OpKind.waitGrids:
        return mayFollow(words, this.layout, this.shape, this.openFlights, instruction);
      case OpKind.load:
      case OpKind.fetchAdd:
      case OpKind.choose:
        return true;
      case OpKind.waitStage:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.join:
        throw new InvariantError('the machine does not execute operations on registers and roles');
      default:
        return neverBlocks(kind);
    }
  }

  /**
   * Performs an enabled instruction of a role and returns its answer (0 where it has none), or
   * {@link BLOCKED} when the role has arrived at a named or cluster barrier and now waits there.
   */
  issue(words: Int32Array, instruction: Instruction): number {
    this.fault = Fault.none;
    const { kind, target, cta } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
        this.#reaches(words, target, cta);
        return 0;
      case OpKind.arrive:
        this.arrive(words, instruction);
        return 0;
      case OpKind.expectTx:
        this.#bytesAll(words, instruction, instruction.bytes);
        return 0;
      case OpKind.completeTx:
        this.#bytesAll(words, instruction, -instruction.bytes);
        return 0;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        this.launch(words, instruction);
        return 0;
      case OpKind.read:
      case OpKind.write:
        this.touch(words, instruction);
        return 0;
      case OpKind.store:
        this.#writeCell(words, target, instruction.stored);
        return 0;
      case OpKind.load:
        return words[this.layout.cells + target]!;
      case OpKind.fetchAdd: {
        const old = words[this.layout.cells + target]!;
        this.#writeCell(words, target, old + instruction.amount);
        return old;
      }
      case OpKind.init:
      case OpKind.invalidate:
      case OpKind.arriveDrop:
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
      case OpKind.arriveCluster:
      case OpKind.waitCluster:
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
      case OpKind.launchDependents:
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
      case OpKind.exit:
        return this.#issueRare(words, kind, instruction);
      // U04, D02: there is nothing to do once it is enabled.
      case OpKind.waitGroup:
      case OpKind.waitGrids:
      // Registers, choices and other roles are the system's.
      case OpKind.waitStage:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.choose:
      case OpKind.spawn:
      case OpKind.join:
      // They touch nothing that is shared.
      case OpKind.fence:
      case OpKind.compute:
      case OpKind.more:
      case OpKind.step:
      case OpKind.stage:
        return 0;
      default:
        return unreachable(kind);
    }
  }

  /** The same for operations that most programs make seldom: it leaves {@link issue} small. */
  #issueRare(words: Int32Array, kind: RareKind, instruction: Instruction): number {
    const { target, cta } = instruction;
    noteRare(this.journal, this.layout, this.shape, kind, instruction);
    switch (kind) {
      case OpKind.init:
        return this.#init(words, instruction);
      case OpKind.invalidate:
        if (this.#reaches(words, target, cta)) words[this.barrierAt(target) + E] = INVALID;
        this.#endsLifetimes();
        return 0;
      case OpKind.arriveDrop:
        this.dropAt(words, target, cta, instruction.arrivals);
        return 0;
      case OpKind.syncNamed:
        return this.#named(words, instruction, true);
      case OpKind.arriveNamed:
        return this.#named(words, instruction, false);
      case OpKind.syncCluster:
        return this.#cluster(words, instruction.role);
      case OpKind.arriveCluster: {
        const { layout, shape } = this;
        if (arriveAtCluster(words, layout, shape, instruction.role)) return 0;
        this.#report(Fault.clusterMisuse, instruction.role);
        return 0;
      }
      case OpKind.waitCluster:
        if (leaveCluster(words, this.layout, instruction.role)) return 0;
        this.#report(Fault.clusterMisuse, instruction.role);
        return 0;
      case OpKind.giveRegisters:
      case OpKind.takeRegisters: {
        const isTaking = kind === OpKind.takeRegisters;
        this.#report(this.registers.change(words, instruction, isTaking), instruction.role);
        return 0;
      }
      case OpKind.launchDependents:
        if (this.shape.grids.length > 1) words[this.layout.launched + cta] = 1;
        return 0;
      case OpKind.alloc:
        return this.#alloc(words, instruction);
      case OpKind.free:
        return this.#free(words, instruction);
      case OpKind.relinquish:
        this.#pools.relinquish(words, target);
        return 0;
      case OpKind.exit:
        words[this.layout.ctas + cta * 2] = 1;
        this.#endsLifetimes();
        return 0;
      default:
        return unreachable(kind);
    }
  }

  /** Completes the open flight at `index`, which {@link OpenFlights.canComplete} must allow. */
  completeFlight(words: Int32Array, index: number): void {
    this.fault = Fault.none;
    const isInUse =
      (this.flights.traits[this.openFlights.idAt(words, index)]! & USES_OWN_CTA) !== 0;
    const flight = this.openFlights.flightAt(words, index);
    this.openFlights.remove(words, index);
    this.journal.hasFlights = true;
    if (isInUse && isCtaOver(words, this.layout, flight.cta)) {
      this.#report(Fault.exitWithOpenFlight, flight.cta);
    }
    this.finish(words, flight);
  }

  /** U01–U03: what a flight does as it completes. */
  finish(words: Int32Array, flight: Flight): void {
    this.#touchAll(words, flight.reads, flight.cta);
    this.#touchAll(words, flight.writes, flight.cta);
    if (flight.cell >= 0) this.#writeCell(words, flight.cell, flight.value);
    if (flight.barrier >= 0 && this.fault === Fault.none) this.#signal(words, flight);
  }

  #signal(words: Int32Array, flight: Flight): void {
    const { barrier, cta } = flight;
    if (!this.#reaches(words, barrier, cta)) return;
    const completed = this.completed(words, barrier);
    this.journal.noteTwo(this.barrierAt(barrier) + P);
    this.#report(signal(words, this.barrierAt(barrier), flight), barrier);
    this.#checkBytes(words, barrier, completed);
  }

  /** L02, N02: a role has run its last operation. Its CTA has one role less from here on. */
  endRole(words: Int32Array, role: number): void {
    this.fault = Fault.none;
    const living = this.layout.ctas + this.shape.roleCtas[role]! * 2 + 1;
    this.journal.note(living);
    words[living]! -= 1;
    endAtCluster(words, this.layout, this.shape, role, this.journal);
    if (anyAtCluster(words, this.layout)) this.#report(Fault.divergentExit, role);
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
    this.journal.noteTwo(this.barrierAt(barrier) + P);
    this.#report(arrive(words, this.barrierAt(barrier), count, lanes, bytes), barrier);
    this.#checkBytes(words, barrier, completed);
  }

  // Lists are gone through by index: iterators make these functions too large to be inlined.

  /** M03: performs an `arrive`, as {@link issue} does. */
  arrive(words: Int32Array, { barriers, cta, arrivals, lanes, bytes }: Instruction): void {
    this.fault = Fault.none;
    for (let i = 0; i < barriers.length; i++) {
      this.arriveAt(words, barriers[i]!, cta, arrivals, lanes, bytes);
    }
  }

  /** U01: starts the flights of an instruction, as {@link issue} does. */
  launch(words: Int32Array, instruction: Instruction): void {
    this.fault = Fault.none;
    if (instruction.arrivals > 0) this.#expectMore(words, instruction);
    const { flights } = instruction;
    for (let i = 0; i < flights.length; i++) this.openFlights.launch(words, flights[i]!);
    this.journal.hasFlights = true;
  }

  /** S01: performs a `read` or a `write`, as {@link issue} does. */
  touch(words: Int32Array, { reads, writes, cta }: Instruction): void {
    this.fault = Fault.none;
    this.#touchAll(words, reads, cta);
    this.#touchAll(words, writes, cta);
  }

  #bytesAll(words: Int32Array, { barriers, cta }: Instruction, bytes: number): void {
    for (let i = 0; i < barriers.length; i++) this.bytesAt(words, barriers[i]!, cta, bytes);
  }

  #endsLifetimes(): void {
    this.hasCompleted = true;
    this.completedAt = NOWHERE;
  }

  #writeCell(words: Int32Array, cell: number, value: number): void {
    requireCell(value);
    this.journal.note(this.layout.cells + cell);
    words[this.layout.cells + cell] = value;
  }

  /** M04: `bytes` more (or, negative, fewer) are missing at a physical barrier. */
  bytesAt(words: Int32Array, barrier: number, cta: number, bytes: number): void {
    if (!this.#reaches(words, barrier, cta)) return;
    const completed = this.completed(words, barrier);
    this.journal.noteTwo(this.barrierAt(barrier) + P);
    this.#report(changeBytes(words, this.barrierAt(barrier), bytes), barrier);
    this.#checkBytes(words, barrier, completed);
  }

  /** M05: `count` threads arrive at a physical barrier, and leave it for good. */
  dropAt(words: Int32Array, barrier: number, cta: number, count: number): void {
    if (!this.#reaches(words, barrier, cta)) return;
    const completed = this.completed(words, barrier);
    this.#report(arriveDrop(words, this.barrierAt(barrier), count), barrier);
    this.#checkBytes(words, barrier, completed);
  }

  /** M11: a phase must not end while a copy that signals it is still under way. */
  #checkBytes(words: Int32Array, barrier: number, completedBefore: number): void {
    if (this.completed(words, barrier) === completedBefore) return;
    this.journal.note(this.barrierAt(barrier) + K);
    this.completedAt = this.hasCompleted ? NOWHERE : barrier;
    this.hasCompleted = true;
    if (this.openFlights.hasBytesTo(words, barrier)) this.#report(Fault.txMismatch, barrier);
  }

  #report(fault: Fault, at: number): void {
    if (fault === Fault.none || this.fault !== Fault.none) return;
    this.fault = fault;
    this.faultAt = at;
  }

  /** U08: the phases of the barriers wait for one more arrival each. */
  #expectMore(words: Int32Array, { barriers, cta, arrivals }: Instruction): void {
    for (const barrier of barriers) {
      if (!this.#reaches(words, barrier, cta)) continue;
      const at = this.barrierAt(barrier);
      this.journal.noteTwo(at + P);
      words[at + P]! += arrivals;
      if (words[at + P]! > MAX_PENDING) this.#report(Fault.txOutOfRange, barrier);
    }
  }

  /** L02: whether an operation from `cta` may touch what is in the CTA that ends at word `at`. */
  #isUp(words: Int32Array, at: number, cta: number): boolean {
    if (at === NEVER) return true;
    return words[at] === 0 && (at === this.layout.ctas + cta * 2 || words[at + 1]! > 0);
  }

  /** L02: notes a fault when `cta` can not reach a barrier any more, or can not yet. */
  reach(words: Int32Array, barrier: number, cta: number): void {
    this.#reaches(words, barrier, cta);
  }

  #reaches(words: Int32Array, barrier: number, cta: number): boolean {
    const isUp = this.#isUp(words, this.#endOf[barrier]!, cta);
    if (!isUp || words[this.barrierAt(barrier) + E]! < 0) this.#notReached(words, barrier, isUp);
    return this.fault === Fault.none;
  }

  #notReached(words: Int32Array, barrier: number, isUp: boolean): void {
    if (!isUp) this.#report(Fault.missingDrain, barrier);
    this.#report(lifetimeFault(words, this.barrierAt(barrier)), barrier);
  }

  #touchAll(words: Int32Array, buffers: readonly number[], cta: number): void {
    for (let i = 0; i < buffers.length; i++) this.#touch(words, buffers[i]!, cta);
  }

  #touch(words: Int32Array, buffer: number, cta: number): void {
    if (!this.#isUp(words, this.#bufferEndOf[buffer]!, cta))
      this.#report(Fault.missingDrainOfBuffer, buffer);
    if (!this.#pools.isAllocated(words, buffer)) this.#report(Fault.useAfterFree, buffer);
  }

  #init(words: Int32Array, instruction: Instruction): number {
    this.#endsLifetimes();
    const at = this.barrierAt(instruction.target);
    const { target, cta } = instruction;
    if (!this.#isUp(words, this.#endOf[target]!, cta)) this.#report(Fault.missingDrain, target);
    if (words[at + E]! >= 0) this.#report(Fault.uninitialisedBarrier, instruction.target);
    init(words, at, instruction.arrivals);
    return 0;
  }

  #named(words: Int32Array, instruction: Instruction, waits: boolean): number {
    const { role, target, lanes, threads, isDivergent } = instruction;
    if (isDivergent) this.#report(Fault.divergentBarrier, target);
    const gathered = gatherNamed(words, this.layout, target, role, lanes, threads, waits);
    if (gathered === Gathered.mismatch) this.#report(Fault.namedBarrierMismatch, target);
    return gathered === Gathered.waits ? BLOCKED : 0;
  }

  #cluster(words: Int32Array, role: number): number {
    const gathered = gatherCluster(words, this.layout, this.shape, role);
    if (gathered === Gathered.divergent) this.#report(Fault.divergentExit, role);
    return gathered === Gathered.goesOn ? 0 : BLOCKED;
  }

  #alloc(words: Int32Array, instruction: Instruction): number {
    if (!this.#pools.isImpossible(words, instruction)) {
      return this.#pools.allocate(words, instruction);
    }
    this.#report(Fault.capacity, instruction.target);
    return 0;
  }

  #free(words: Int32Array, { target, writes }: Instruction): number {
    const [buffer = 0] = writes;
    if (!this.#pools.free(words, target, buffer)) this.#report(Fault.doubleFree, buffer);
    return 0;
  }

  /** M13: the physical barriers that are not quiescent. */
  restless(words: Int32Array): number[] {
    return restlessBarriers(words, this.shape, this.layout);
  }

  /** M13: named barriers at which some threads have arrived. */
  unfilled(words: Int32Array): number[] {
    return unfilledNamed(words, this.shape, this.layout);
  }
  /** A03: the physical pools that were allocated from and never given up. */
  unrelinquished(words: Int32Array): number[] {
    return this.#pools.unrelinquished(words);
  }
}

/** Posted and silent operations can always proceed. */
const neverBlocks = (_kind: PostedKind | SilentKind): true => true;
