// The machine: defines what every operation does to shared state.
import { InvariantError, unreachable } from '../base/index.ts';
import { OpKind, type PostedKind, type SilentKind } from '../op/index.ts';
import { Barriers } from './barriers.ts';
import { lifetimeFault } from './barrier.ts';
import { Fault } from './fault.ts';
import { USES_OWN_CTA, type Flight } from './flight-table.ts';
import { anyAtCluster, arriveAtCluster, canGather, Gathered } from './gathering.ts';
import { endAtCluster, gatherCluster, gatherNamed, leaveCluster } from './gathering.ts';
import type { Instruction } from './instruction.ts';
import { E, INVALID, SYNC_CLUSTER } from './layout.ts';
import { isCtaOver, restlessBarriers, unfilledNamed } from './leftovers.ts';
import { requireCell } from './cell.ts';
import { mayFollow } from './grids.ts';
import { noteRare, type RareKind } from './rare-words.ts';
import { RegisterPool } from './register-pool.ts';
import type { MachineShape } from './shape.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { none: NONE } = Fault;
const USES_OWN = USES_OWN_CTA;

/** The answer of an operation that cannot proceed now. */
export const BLOCKED = -0x80000000;

/**
 * Executes instructions on a state, which is a flat `Int32Array` that the caller owns. The machine
 * itself holds no state: only the static shape and the table of flights. After an operation,
 * `fault` says what was wrong and `faultAt` which physical barrier, buffer or pool it was.
 */
export class Machine extends Barriers {
  readonly registers: RegisterPool;

  constructor(shape: MachineShape, base: number) {
    super(shape, base);
    this.registers = new RegisterPool(shape, this.layout);
  }

  /** Whether no role is left at a named barrier, or at the cluster's (−1): it has completed. */
  isGathered(words: Int32Array, named: number): boolean {
    return named < 0 || words[this.layout.named + named * 2] === 0;
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
        return this.pools.canAllocate(words, instruction);
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
    this.fault = NONE;
    const { kind, target, cta } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
        this.reaches(words, target, cta);
        return 0;
      case OpKind.arrive:
        this.arrive(words, instruction);
        return 0;
      case OpKind.expectTx:
        this.bytesAll(words, instruction, instruction.bytes);
        return 0;
      case OpKind.completeTx:
        this.bytesAll(words, instruction, -instruction.bytes);
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
        return this.init(words, instruction);
      case OpKind.invalidate:
        if (this.reaches(words, target, cta)) words[this.barrierAt(target) + E] = INVALID;
        this.endsLifetimes();
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
        this.report(Fault.clusterMisuse, instruction.role);
        return 0;
      }
      case OpKind.waitCluster:
        if (leaveCluster(words, this.layout, instruction.role)) return 0;
        this.report(Fault.clusterMisuse, instruction.role);
        return 0;
      case OpKind.giveRegisters:
      case OpKind.takeRegisters: {
        const isTaking = kind === OpKind.takeRegisters;
        this.report(this.registers.change(words, instruction, isTaking), instruction.role);
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
        this.pools.relinquish(words, target);
        return 0;
      case OpKind.exit:
        words[this.layout.ctas + cta * 2] = 1;
        this.endsLifetimes();
        return 0;
      default:
        return unreachable(kind);
    }
  }

  /** Completes the open flight at `index`, which {@link OpenFlights.canComplete} must allow. */
  completeFlight(words: Int32Array, index: number): void {
    this.fault = NONE;
    const id = this.openFlights.idAt(words, index);
    const isInUse = (this.flights.traits[id]! & USES_OWN) !== 0;
    const flight = this.openFlights.flightAt(words, index);
    this.openFlights.remove(words, index);
    this.journal.hasFlights = true;
    const isOpenAtEnd = isInUse && isCtaOver(words, this.layout, flight.cta);
    if (isOpenAtEnd && flight.mayOutlive && !this.isStrictAtEnds) {
      // X02: the memory of the CTA is there until then, and nothing sees it any more.
      this.openAtEnds.add(id);
      this.#signalBeforeEnd(words, flight);
      return this.finish(words, this.flights.outside(flight));
    }
    if (isOpenAtEnd) this.report(Fault.exitWithOpenFlight, flight.cta);
    this.finish(words, flight);
  }

  /** M02: a copy may complete just before its CTA ends, on a barrier that has to be one then. */
  #signalBeforeEnd(words: Int32Array, { barrier, cta }: Flight): void {
    if (barrier < 0 || barrier % this.shape.ctas !== cta) return;
    this.report(lifetimeFault(words, this.barrierAt(barrier)), barrier);
  }

  /** U01–U03: what a flight does as it completes. */
  finish(words: Int32Array, flight: Flight): void {
    this.touchAll(words, flight.reads, flight.cta);
    this.touchAll(words, flight.writes, flight.cta);
    if (flight.cell >= 0) this.#writeCell(words, flight.cell, flight.value);
    if (flight.barrier >= 0 && this.fault === NONE) this.signal(words, flight);
  }

  /**
   * L02, N02: a role has run its last operation. Its CTA has one role less from here on. Whether
   * the two halves of the cluster barrier of the others are a whole now (N06).
   */
  endRole(words: Int32Array, role: number): boolean {
    this.fault = NONE;
    const living = this.layout.ctas + this.shape.roleCtas[role]! * 2 + 1;
    this.journal.note(living);
    words[living]! -= 1;
    const isOpen = endAtCluster(words, this.layout, this.shape, role, this.journal);
    if (anyAtCluster(words, this.layout)) this.report(Fault.divergentExit, role);
    return isOpen;
  }

  /** U01: starts the flights of an instruction, as {@link issue} does. */
  launch(words: Int32Array, instruction: Instruction): void {
    this.fault = NONE;
    if (instruction.arrivals > 0) this.expectMore(words, instruction);
    const { flights } = instruction;
    for (let i = 0; i < flights.length; i++) this.openFlights.launch(words, flights[i]!);
    this.journal.hasFlights = true;
  }

  /** S01: performs a `read` or a `write`, as {@link issue} does. */
  touch(words: Int32Array, { reads, writes, cta }: Instruction): void {
    this.fault = NONE;
    this.touchAll(words, reads, cta);
    this.touchAll(words, writes, cta);
  }

  #writeCell(words: Int32Array, cell: number, value: number): void {
    requireCell(value);
    this.journal.note(this.layout.cells + cell);
    words[this.layout.cells + cell] = value;
  }

  #named(words: Int32Array, instruction: Instruction, waits: boolean): number {
    const { role, target, lanes, threads, isDivergent } = instruction;
    if (isDivergent) this.report(Fault.divergentBarrier, target);
    const gathered = gatherNamed(words, this.layout, target, role, lanes, threads, waits);
    if (gathered === Gathered.mismatch) this.report(Fault.namedBarrierMismatch, target);
    return gathered === Gathered.waits ? BLOCKED : 0;
  }

  #cluster(words: Int32Array, role: number): number {
    const gathered = gatherCluster(words, this.layout, this.shape, role);
    if (gathered === Gathered.divergent) this.report(Fault.divergentExit, role);
    return gathered === Gathered.goesOn ? 0 : BLOCKED;
  }

  #alloc(words: Int32Array, instruction: Instruction): number {
    if (!this.pools.isImpossible(words, instruction)) {
      return this.pools.allocate(words, instruction);
    }
    this.report(Fault.capacity, instruction.target);
    return 0;
  }

  #free(words: Int32Array, { target, writes }: Instruction): number {
    const [buffer = 0] = writes;
    if (!this.pools.free(words, target, buffer)) this.report(Fault.doubleFree, buffer);
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
    return this.pools.unrelinquished(words);
  }
}

/** Posted and silent operations can always proceed. */
const neverBlocks = (_kind: PostedKind | SilentKind): true => true;
