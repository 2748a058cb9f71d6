// The asynchronous units of the SMs on which the CTAs of a cluster run.
import { type Flight, type Instruction, MAX_UNITS } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { CopyEngine } from './copy-engine.ts';
import { FlightClass, type FlightClasses } from './flight-class.ts';
import { Clock } from './clock.ts';
import type { Costs } from './model.ts';
import type { Random } from './random.ts';
import { dealt, type Sharing } from './sharing.ts';
import { TensorCore } from './tensor-core.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { bulk: BULK, tensor: TENSOR, threads: THREADS, peers: PEERS } = FlightClass;
const { store: STORE, matrix: MATRIX, registers: REGISTERS, signal: SIGNAL } = FlightClass;
const UNITS = MAX_UNITS;

/** Classes of flights that are no copies. */
type WorkClass = Exclude<FlightClass, 0 | 1 | 2 | 3>;

/** The most bytes of one cp.async. */
const THREAD_BYTES = 16;
/** Quarters of an SM: each has a scheduler and a tensor core for its warps. */
const QUARTERS = 4;

/** What one SM has: a copy engine and a tensor core. */
interface Sm {
  readonly copies: CopyEngine;
  readonly core: TensorCore;
}

/** What units need beside the costs and the program. */
export interface UnitsOptions {
  readonly classes: FlightClasses;
  readonly random: Random;
  readonly sharing: Sharing | undefined;
  readonly beside: Units | null;
}

/**
 * Computes when the operations that roles issue to units complete. Times are in cycles. A role uses
 * the units of its own CTA; those of another CTA work at the same time.
 */
export class Units {
  readonly #costs: Costs;
  readonly #program: Program;
  readonly #classes: FlightClasses;
  readonly #sms: readonly Sm[];
  /** By role and unit: when all of its copies so far are complete. */
  readonly #copied: Float64Array;
  /** By unit: the class of its flights. */
  readonly #classOf = new Int8Array(UNITS).fill(-1);
  readonly clock: Clock;
  /** By role: its number in its CTA. */
  readonly #warps: readonly number[];
  /** The number of the first role: those of several CTAs on an SM are different ones. */
  readonly #firstRole: number = 0;
  /** Cycles of this CTA's tensor-core work, or of its cluster's. */
  #workCycles = 0;
  /** Bytes of this CTA's copies and stores. */
  loadedBytes = 0;
  storedBytes = 0;
  /** [0] is when the flight that was issued last completes. */
  readonly completion = new Float64Array(1);

  /** `sharing` SMs share the memory; `beside` are the units of other CTAs of the same SMs. */
  constructor(costs: Costs, program: Program, { classes, random, sharing, beside }: UnitsOptions) {
    this.#costs = costs;
    this.#program = program;
    this.#classes = classes;
    this.#copied = new Float64Array(program.roles.length * UNITS);
    this.#warps = program.roles.map(({ cta }, role) => {
      return role - program.roles.findIndex((first) => first.cta === cta);
    });
    const { launch } = program.declarations;
    if (beside !== null) {
      [this.#sms, this.clock] = [beside.#sms, beside.clock];
      this.#firstRole = beside.#firstRole + program.roles.length;
      return;
    }
    const most = Math.min(Math.max(launch.ctas, program.ctas), costs.multiprocessors);
    const shared = sharing ?? dealt(most, 1, costs);
    const { timing } = program.kernel;
    const work = timing?.(program.params)?.work;
    this.clock = new Clock(costs, shared.sms, work?.multiplyingShare);
    const requested = 1 - (1 - costs.neighborShare) * (work?.sharedShare ?? 0);
    this.#sms = Array.from({ length: program.ctas }, () => {
      const copies = new CopyEngine(costs, launch, { ...shared, requested }, random);
      return { copies, core: new TensorCore(costs, timing === undefined ? 1 : QUARTERS) };
    });
  }

  /** Issues a flight of a role at `time` and writes its end to {@link completion}. */
  issue(time: number, role: number, id: number, flight: Flight, by: Instruction): void {
    let of = this.#classes.ofNumber(id, by);
    if (of === TENSOR && this.#classes.isTiled && this.clock.isHot) {
      of = BULK;
    }
    this.#classOf[flight.unit] = of;
    if (of <= PEERS) this.#copy(of, time, flight, by);
    else this.completion[0] = this.#endOf(of as WorkClass, time, role, flight, by);
    if (of > STORE) return;
    const at = role * UNITS + flight.unit;
    const last = Math.max(this.#copied[at]!, this.completion[0]!);
    // Copies of a unit in order are done after those before them.
    if (flight.inOrder) this.completion[0] = last;
    this.#copied[at] = last;
  }

  #endOf(of: WorkClass, time: number, role: number, flight: Flight, by: Instruction): number {
    const { copies, core } = this.#sms[flight.cta]!;
    switch (of) {
      case STORE:
        if (flight.cycles > 0) return time + flight.cycles;
        return this.#store(time, copies, by);
      case MATRIX:
        if (this.clock.isDue(time)) this.#follow(time, core.busyCycles);
        return this.#multiply(time, core, role, flight.cycles);
      case REGISTERS:
        return time + (flight.cycles || this.#costs.issueCycles);
      case SIGNAL:
        return Math.max(
          time,
          core.doneAt(this.#firstRole + role),
          this.#copied[role * UNITS + flight.unit]!,
        );
    }
  }

  /** A multicast copy is read once, and takes the link of each CTA that receives it. */
  #copy(of: FlightClass, time: number, flight: Flight, by: Instruction): void {
    const { completion } = this;
    const { ctas } = this.#program;
    const bytes = flight.bytes || this.#bytesOf(by);
    const isOwn = ctas === 1 || flight.barrier < 0;
    const to = isOwn ? flight.cta : flight.barrier % ctas;
    const isMulticast = by.barriers.length > 1;
    const into = this.#sms[to]!.copies;
    const issuing = of === THREADS ? this.#threadCycles(bytes, by) : 0;
    if (of === PEERS) {
      this.completion[0] = this.#sms[flight.cta]!.copies.send(time, bytes, into);
      return;
    }
    if (!isMulticast || flight.barrier === by.barriers[0]) {
      this.loadedBytes += bytes;
      if (isMulticast && !this.#isShared) this.#shareWindows();
      this.#sms[flight.cta]!.copies.copy(time, bytes, of, into, completion, issuing);
      if (isMulticast) this.#read = completion[0]! += this.#costs.multicastCycles;
    } else completion[0] = into.receive(time, bytes, this.#read);
  }
  /** When the copy that was issued last completes in the first CTA that receives it. */
  #read = 0;
  /** Whether there were multicast copies. */
  #isShared = false;

  /** How long threads issue a copy before its last bytes are asked for. */
  #threadCycles(bytes: number, { role }: Instruction): number {
    const { roles, kernel } = this.#program;
    // Each copy of a warp of a kernel read from PTX is an operation of its own.
    if (kernel.timing !== undefined) return 0;
    const { lanes } = roles[role]!;
    return Math.ceil(bytes / (THREAD_BYTES * lanes)) * this.#costs.threadCopyCycles;
  }

  #shareWindows(): void {
    this.#isShared = true;
    for (const { copies } of this.#sms) copies.shareWindow(this.#sms.length);
  }

  #store(time: number, copies: CopyEngine, by: Instruction): number {
    const bytes = by.bytes || this.#bytesOf(by);
    this.storedBytes += bytes;
    return copies.store(time, bytes);
  }

  /** Bytes of the buffers that work names. */
  #bytesOf({ named }: Instruction): number {
    const { bufferBytes } = this.#program.declarations;
    const { ctas } = this.#program;
    return named.reduce((sum, id) => sum + bufferBytes[Math.floor(id / ctas)]!, 0);
  }

  /** The SM goes to another clock, memory does not. */
  #follow(time: number, busyCycles: number): void {
    const costs = this.clock.follow(time, busyCycles);
    for (const { copies } of this.#sms) copies.heat(costs);
  }

  #multiply(time: number, core: TensorCore, role: number, cycles: number): number {
    const work = cycles || this.#costs.mmaDefaultCycles;
    this.#workCycles += work / core.parts;
    return core.issue(time, this.#firstRole + role, work, this.#warps[role]);
  }

  /** Cycles in which tensor cores worked for a CTA: of a cluster, on average. */
  get tensorCycles(): number {
    return this.#workCycles / this.#sms.length;
  }

  /** Other SMs share the memory from now on. */
  share(sharing: Sharing): void {
    for (const { copies } of this.#sms) copies.share(sharing);
  }

  /** How long a fence of a CTA queues in the memory at a time. */
  fenceDelayAt(cta: number, time: number): number {
    return this.#sms[cta]!.copies.fenceDelayAt(time);
  }

  /** When all copies into the SM of a CTA so far have arrived. */
  arrivedAt(cta: number): number {
    return this.#sms[cta]!.copies.arrivedAt;
  }

  /** Whether the tensor core of a CTA's SM has work at a time. */
  worksAt(cta: number, time: number): boolean {
    return this.#sms[cta]!.core.freeAt > time;
  }

  /** When a role of a CTA can issue one more instruction to the tensor core. */
  roomAt(cta: number, role: number): number {
    return this.#sms[cta]!.core.roomAt(this.#firstRole + role);
  }

  /** From the end of a unit's work to the next instruction of a role that waits for it. */
  drainCycles(unit: number): number {
    return this.#classOf[unit] === MATRIX ? this.#costs.mmaDrainCycles : 0;
  }
}
