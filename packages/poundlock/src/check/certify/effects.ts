// What every operation does to the clocks, and which conditions it must meet as the run goes by.
import { Alias, aliasOf, BLOCKED, Fault, FlightKind, T } from '../../machine/index.ts';
import type { Flight, Instruction, Machine } from '../../machine/index.ts';
import { ASSUMED, CATALOGUE, OpKind } from '../../op/index.ts';
import type { Program } from '../../program/index.ts';
import { isSilent, newState, writeInitial, type Registers } from '../../system/index.ts';
import { BarrierHistory, type Condition } from './barrier-history.ts';
import { Clocks } from './clocks.ts';
import { Chains, UnitQueue } from './flights.ts';
import { Gathering } from './gathering.ts';
import { Lifetimes } from './lifetimes.ts';
import { Location } from './memory.ts';
import { Stop } from './stop.ts';

type Accesses = Pick<Instruction, 'reads' | 'writes' | 'cta'>;

/**
 * The state of one run under vector clocks. Operations happen on the machine, and every condition
 * of docs/certificate.md is checked at the operation that could break it: a {@link Stop} ends the
 * run there.
 */
export class Effects {
  readonly #program: Program;
  readonly #tracksBarriers: boolean;
  readonly #registers: Registers;
  readonly #machine: Machine;
  readonly #words: Int32Array;
  readonly #clocks: Clocks;
  readonly #barriers: BarrierHistory[];
  readonly #locations: Location[];
  readonly #cells: Location[];
  readonly #queues = new Map<number, UnitQueue>();
  /** By CTA: the threads of flights that land in any order. */
  readonly #chains: Chains[];
  readonly #gathering: Gathering;
  readonly #lifetimes: Lifetimes;
  /** By pool: the one role that allocates from it, −1 before any does. */
  readonly #allocators: Int32Array;
  /** By thread: the CTA of its role, or of the roles whose flights it is. */
  readonly #ctaOfThread: number[];
  /** The answer of the last operation. */
  answer = 0;
  /** Set when anything happened. */
  progress = false;
  events = 0;

  /** Following the lives of barriers costs time, and is for programs that end or begin some. */
  constructor(program: Program, machine: Machine, registers: Registers, tracksBarriers: boolean) {
    this.#program = program;
    this.#tracksBarriers = tracksBarriers;
    this.#machine = machine;
    this.#words = newState(machine);
    writeInitial(machine.shape, machine.layout, this.#words);
    this.#registers = registers;
    const roles = program.roles.length;
    const clocks = new Clocks(roles);
    this.#clocks = clocks;
    const { ctas } = program;
    const { barriers, buffers, cells, pools } = program.declarations;
    const each = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
    this.#barriers = each(barriers.length * ctas, () => new BarrierHistory(clocks));
    this.#locations = each(buffers.length * ctas, () => new Location());
    this.#cells = each(cells.length * ctas, () => new Location());
    this.#chains = each(ctas, () => new Chains(clocks));
    this.#gathering = new Gathering(clocks, roles);
    // Resources with a life: the CTAs, then the barriers.
    this.#lifetimes = new Lifetimes(clocks, ctas + barriers.length * ctas);
    this.#allocators = new Int32Array(pools.length * ctas).fill(-1);
    this.#ctaOfThread = program.roles.map((role) => role.cta);
  }

  /** Threads that the clocks keep apart. */
  get width(): number {
    return this.#clocks.width;
  }

  /** Whether something is left over, which at the end is a warning (M13, A03). */
  get hasLeftovers(): boolean {
    const { length } = this.#machine.restless(this.#words);
    return length + this.#machine.unrelinquished(this.#words).length > 0;
  }

  /** A role has made its last operation. */
  end(role: number): void {
    this.progress = true;
    this.#machine.fault = Fault.none;
    this.#machine.endRole(this.#words, role);
    this.#requireNoFault();
  }

  /** D, R: what must hold once every role has ended. */
  requireEnd(): void {
    this.#barriers.forEach((_, barrier) => {
      if (this.#words[this.#machine.barrierAt(barrier) + T] === 0) return;
      throw new Stop('D', 'bytes are missing or left over at the end');
    });
    this.#requireLives();
  }

  /** Performs an operation of a role; `false` if the role has to wait. */
  perform(role: number, instruction: Instruction): boolean {
    this.answer = 0;
    const { kind } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitStage:
        return this.#wait(role, instruction);
      case OpKind.step:
        if (this.#registers.isMisstep(this.#words, instruction)) {
          throw new Stop('fault', 'a stage is released that is not the next one');
        }
        this.#registers.step(this.#words, instruction);
        return true;
      case OpKind.stage:
        this.answer = this.#registers.stage(this.#words, instruction);
        return true;
      case OpKind.more:
        this.answer = this.#registers.more(this.#words, instruction);
        return true;
      case OpKind.arrive:
      case OpKind.expectTx:
      case OpKind.completeTx:
        this.#signal(role, instruction);
        break;
      case OpKind.read:
      case OpKind.write:
        this.#access(role, instruction);
        break;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        this.#launch(role, instruction);
        break;
      case OpKind.waitGroup:
        this.#waitGroup(role, instruction);
        break;
      case OpKind.store:
      case OpKind.load:
        this.#cell(role, instruction);
        break;
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
        if (!this.#gather(role, instruction)) return false;
        break;
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
        this.#allocate(role, instruction);
        break;
      case OpKind.exit:
        this.#endLife(role, instruction.cta);
        this.#issue(instruction);
        break;
      case OpKind.init:
        this.#initialise(role, instruction);
        break;
      case OpKind.invalidate:
        this.#endLife(role, this.#program.ctas + instruction.target);
        this.#issue(instruction);
        break;
      default:
        if (isSilent(kind)) return true;
        throw new Stop('unsupported', `${CATALOGUE[kind]!.name} leaves more than one way to go on`);
    }
    this.events++;
    this.progress = true;
    return true;
  }

  #wait(role: number, instruction: Instruction): boolean {
    const words = this.#words;
    const isStage = instruction.kind === OpKind.waitStage;
    if (isStage && instruction.count === ASSUMED) {
      throw new Stop('unsupported', 'a wait is skipped because a try has succeeded');
    }
    if (isStage && this.#registers.forkOf(words, instruction) >= 0) {
      throw new Stop('fault', 'two copies of a pipeline have gone apart');
    }
    const isRaw = instruction.kind === OpKind.waitParity;
    const barrier = isStage
      ? this.#registers.wantedBarrier(words, instruction)
      : instruction.target;
    const phase = isStage ? this.#registers.wantedPhase(words, instruction) : instruction.value;
    if (!this.#machine.passes(words, barrier, phase)) return false;
    this.#machine.fault = Fault.none;
    this.#machine.reach(words, barrier, instruction.cta);
    this.#requireNoFault();
    const completed = this.#machine.completed(words, barrier);
    const isCounter = this.#machine.modeOf(barrier) === 'counter';
    if (isCounter) {
      if (completed !== phase + 1) {
        throw new Stop('L', 'a counter has gone further than the phase that is waited for');
      }
    } else if (!isRaw && aliasOf(completed, phase) !== Alias.none) {
      throw new Stop('fault', 'a wait passes for another phase than the one it wants');
    }
    // M02: it may be tried before it passes, so that what it learns by passing comes too late.
    this.#touchBarrier(role, barrier);
    this.#requireHolds(this.#barriers[barrier]!.observe(role, isCounter), barrier);
    this.#touchBarrier(role, barrier);
    if (isStage) this.answer = this.#registers.stage(words, instruction);
    this.events++;
    this.progress = true;
    return true;
  }

  #signal(role: number, instruction: Instruction): void {
    const { kind, barriers } = instruction;
    if (kind !== OpKind.arrive) this.#requireBytes(instruction.bytes);
    if (instruction.bytes < 0) throw new Stop('unsupported', 'fewer than no bytes are expected');
    this.#clocks.tick(role);
    for (let i = 0; i < barriers.length; i++) {
      this.#contribute(role, barriers[i]!, kind === OpKind.arrive, kind === OpKind.expectTx);
    }
    this.#machine.hasCompleted = false;
    this.#issue(instruction);
    if (this.#machine.hasCompleted) this.#completeAll(barriers);
  }

  /** The proof counts on every completion, so that each must bring something. */
  #requireBytes(bytes: number): void {
    if (bytes <= 0) throw new Stop('unsupported', 'bytes are completed that nobody waits for');
  }

  #contribute(thread: number, barrier: number, isArrival: boolean, isExpect: boolean): void {
    const history = this.#barriers[barrier]!;
    this.#requireHolds(history.contribute(thread, isArrival, isExpect), barrier);
    this.#touchBarrier(thread, barrier);
  }

  #touchBarrier(thread: number, barrier: number): void {
    const { ctas } = this.#program;
    this.#lifetimes.touch(ctas === 1 ? 0 : barrier % ctas, thread);
    if (!this.#tracksBarriers || this.#lifetimes.touch(ctas + barrier, thread)) return;
    throw new Stop('R', 'a barrier can be reached before it is initialised');
  }

  #endLife(role: number, resource: number): void {
    if (resource >= this.#program.ctas && !this.#tracksBarriers) {
      throw new Stop('lives', 'barriers are initialised or invalidated');
    }
    this.#clocks.tick(role);
    if (this.#lifetimes.end(resource, role)) return;
    throw new Stop('R', 'something can end while others still reach into it');
  }

  /** A barrier that is initialised again starts anew; what was done to the old one is over. */
  #initialise(role: number, instruction: Instruction): void {
    const { target } = instruction;
    const { ctas } = this.#program;
    this.#endLife(role, ctas + target);
    this.#issue(instruction);
    this.#lifetimes.begin(ctas + target, role);
    this.#barriers[target] = new BarrierHistory(this.#clocks);
  }

  /** Tells the histories of the phases that the machine has just completed. */
  #completeAll(barriers: readonly number[]): void {
    for (const barrier of barriers) {
      const history = this.#barriers[barrier]!;
      const completed = this.#machine.completed(this.#words, barrier);
      if (completed === history.completed) continue;
      if (completed > history.completed + 1) {
        throw new Stop('M', 'one operation completes several phases');
      }
      this.#requireHolds(history.complete(), barrier);
    }
  }

  #access(thread: number, accesses: Accesses): void {
    const index = this.#clocks.tick(thread);
    this.#touchAll(thread, index, accesses);
  }

  #touchAll(thread: number, index: number, accesses: Accesses): void {
    const { reads, writes, cta } = accesses;
    for (const buffer of reads) {
      if (!this.#locations[buffer]!.read(this.#clocks, thread, index)) this.#race(buffer);
      this.#touchBuffer(thread, buffer, cta);
    }
    for (const buffer of writes) {
      if (!this.#locations[buffer]!.write(this.#clocks, thread, index)) this.#race(buffer);
      this.#touchBuffer(thread, buffer, cta);
    }
  }

  #touchBuffer(thread: number, buffer: number, cta: number): void {
    this.#machine.fault = Fault.none;
    this.#machine.touchBuffer(this.#words, buffer, cta);
    this.#requireNoFault();
    this.#lifetimes.touch(buffer % this.#program.ctas, thread);
  }

  #race(buffer: number): never {
    const { buffers } = this.#program.declarations;
    const name = buffers[Math.floor(buffer / this.#program.ctas)];
    throw new Stop('R', `two accesses to ${name} are not ordered`);
  }

  #launch(role: number, instruction: Instruction): void {
    this.#clocks.tick(role);
    for (const id of instruction.flights) {
      const flight = this.#machine.flights.flights[id]!;
      if (flight.kind === FlightKind.group) this.#queue(flight).closeGroup();
      else this.#fly(role, flight);
    }
  }

  #queue(flight: Flight): UnitQueue {
    const key = flight.role * 64 + flight.unit;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new UnitQueue(this.#clocks, flight.inOrder);
    this.#queues.set(key, queue);
    return queue;
  }

  /** Issues a flight and lands it at once. */
  #fly(role: number, flight: Flight): void {
    const clocks = this.#clocks;
    const issuer = clocks.threadRows[role]!;
    const queue = this.#queue(flight);
    const { barrier } = flight;
    const chains = this.#chains[flight.cta]!;
    let thread: number;
    if (flight.kind === FlightKind.signal) {
      thread = chains.startAfter(issuer, queue.work);
    } else if (queue.thread >= 0) {
      thread = queue.thread;
      clocks.join(clocks.threadRows[thread]!, issuer);
      clocks.tick(thread);
    } else {
      thread = chains.start(issuer);
    }
    this.#ctaOfThread[thread] = flight.cta;
    this.events++;
    this.#touchAll(thread, clocks.now(thread), flight);
    if (flight.kind !== FlightKind.signal) clocks.join(queue.work, clocks.threadRows[thread]!);
    if (flight.cell >= 0) {
      this.#requireOrdered(this.#cells[flight.cell]!.write(clocks, thread, clocks.now(thread)));
    }
    if (barrier >= 0) {
      const isSignal = flight.kind === FlightKind.signal;
      if (!isSignal) this.#requireBytes(flight.bytes);
      if (!isSignal) this.#requireHolds(this.#barriers[barrier]!.issue(issuer), barrier);
      this.#contribute(thread, barrier, isSignal, false);
    }
    this.#machine.fault = Fault.none;
    this.#machine.finish(this.#words, flight);
    this.#requireNoFault();
    if (barrier >= 0) {
      const { completed } = this.#barriers[barrier]!;
      if (this.#machine.completed(this.#words, barrier) !== completed) {
        this.#completeAll([barrier]);
      }
    }
  }

  #waitGroup(role: number, instruction: Instruction): void {
    const queue = this.#queues.get(role * 64 + instruction.unit);
    const row = this.#clocks.threadRows[role]!;
    if (queue?.waitFor(row, instruction.count) === false) {
      throw new Stop('bound', 'a wait leaves more groups open than the certificate remembers');
    }
    this.#clocks.tick(role);
  }

  /** A cell is certified where its stores and loads are ordered; then its value is one. */
  #cell(role: number, instruction: Instruction): void {
    const index = this.#clocks.tick(role);
    const cell = this.#cells[instruction.target]!;
    const isOrdered =
      instruction.kind === OpKind.load
        ? cell.read(this.#clocks, role, index)
        : cell.write(this.#clocks, role, index);
    this.#requireOrdered(isOrdered);
    this.answer = this.#issue(instruction);
  }

  #requireOrdered(isOrdered: boolean): void {
    if (!isOrdered) throw new Stop('unsupported', 'a cell is stored and loaded in any order');
  }

  #gather(role: number, instruction: Instruction): boolean {
    const { kind, target } = instruction;
    const isCluster = kind === OpKind.syncCluster;
    const key = isCluster ? -1 : target;
    if (this.#gathering.isReleased(role)) {
      this.#gathering.leave(role);
      this.#issue(instruction);
      return true;
    }
    if (this.#gathering.isWaiting(role)) return false;
    this.#clocks.tick(role);
    this.#requireHolds(this.#gathering.arrive(key, role), -1);
    const isOpen = this.#issue(instruction) === BLOCKED;
    if (isOpen) this.#gathering.wait(key, role);
    else if (this.#machine.isGathered(this.#words, key)) {
      this.#gathering.complete(key, role, kind !== OpKind.arriveNamed);
    }
    if (isOpen) {
      this.events++;
      this.progress = true;
    }
    return !isOpen;
  }

  /** Pools of one role are deterministic: freeing is a write that every access must precede. */
  #allocate(role: number, instruction: Instruction): void {
    const { target, writes, kind } = instruction;
    const owner = this.#allocators[target]!;
    if (owner >= 0 && owner !== role) {
      throw new Stop('unsupported', 'several roles allocate from one pool');
    }
    this.#allocators[target] = role;
    if (!this.#machine.enabled(this.#words, instruction)) {
      throw new Stop('D', 'an allocation waits for memory that only its own role could free');
    }
    const index = this.#clocks.tick(role);
    this.answer = this.#issue(instruction);
    const { ctas } = this.#program;
    const buffers = kind === OpKind.alloc ? [this.answer * ctas + instruction.cta] : writes;
    for (const buffer of kind === OpKind.relinquish ? [] : buffers) {
      if (!this.#locations[buffer]!.write(this.#clocks, role, index)) this.#race(buffer);
    }
  }

  #issue(instruction: Instruction): number {
    const answer = this.#machine.issue(this.#words, instruction);
    this.#requireNoFault();
    return answer;
  }

  #requireNoFault(): void {
    if (this.#machine.fault !== Fault.none) {
      throw new Stop('fault', 'the run itself breaks a rule of the machine');
    }
  }

  #requireHolds(condition: Condition | null, barrier: number): void {
    if (condition === null) return;
    const { barriers } = this.#program.declarations;
    const name = barriers[Math.floor(barrier / this.#program.ctas)]?.name ?? 'a named barrier';
    throw new Stop(condition, `${name} can go through its phases in another way`);
  }

  /** L02: a CTA whose roles have all ended is not reached from others. */
  #requireLives(): void {
    const { roles, ctas } = this.#program;
    if (ctas === 1) return;
    for (let cta = 0; cta < ctas; cta++) {
      const own = roles.flatMap((role, index) => (role.cta === cta ? [index] : []));
      const rows = own.map((role) => this.#clocks.threadRows[role]!);
      if (this.#lifetimes.endsInTime(cta, this.#ctaOfThread, rows)) continue;
      throw new Stop('R', 'a CTA can end while others still reach into it');
    }
  }
}
