// Records one run with what every move knows, and collects where another run could differ.
import { unreachable } from '@poundlock/core/internal/base';
import {
  FlightKind,
  MAX_UNITS,
  type Flight,
  type Instruction,
} from '@poundlock/core/internal/machine';
import { isTry, OpKind, type PostedKind, type SilentKind } from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import { BarrierLog } from './barrier-log.ts';
import type { Watcher } from './driver.ts';
import { Lifetimes } from './lifetimes.ts';
import { EventLog, joined, NOTHING, type Clock } from './log.ts';
import { AccessLog } from './access-log.ts';
import { CandidateCuts } from './candidate-cuts.ts';
import { GridLog } from './grid-log.ts';
import { SplitCluster } from './split-cluster.ts';
import { WorkQueue } from './work-queue.ts';

/** A flight that was issued and has not completed. */
interface Issued {
  readonly clock: Clock;
  /** Its number in its queue; for a signal, how much work goes before it. */
  readonly work: number;
  /** Whether it is an arrival that the phase was made to wait for as it was issued (U08). */
  readonly isAdded: boolean;
}

/** What a contribution to a barrier is, but for a copy's bytes. */
type ContributingKind =
  | typeof OpKind.arrive
  | typeof OpKind.arriveDrop
  | typeof OpKind.expectTx
  | typeof OpKind.completeTx;

/** The most events of a run that is recorded (bound `witness-events`), and numbers in clocks. */
const MAX_WITNESS_EVENTS = 100_000;
const MAX_CLOCK_NUMBERS = 8_000_000;

/**
 * The happens-before relation of a run, with the conditions of docs/explanation/certificate.md.
 * Nothing here has to be sound: what a cut leads to is only reported when the machine shows it.
 */
export class EventRecorder implements Watcher {
  readonly log: EventLog;
  readonly candidates = new CandidateCuts();
  /** How often each condition was looked at. */
  readonly checked = { M: 0, L: 0, U: 0, E: 0, X: 0, R: 0 };
  readonly #system: System;
  readonly #barriers: BarrierLog[];
  /** By named barrier, a cluster's below 0: its generations as phases, and waiting roles. */
  readonly #gatherings = new Map<number, { log: BarrierLog; waiting: Set<number> }>();
  /** By grid. */
  readonly #clusters: readonly SplitCluster[];
  readonly #grids: GridLog;
  readonly #places: AccessLog;
  readonly #lifetimes: Lifetimes;
  readonly #queues = new Map<number, WorkQueue>();
  readonly #issued = new Map<number, Issued[]>();
  /** By CTA, so that accesses to another one stay separate: threads of flights. */
  readonly #chains: number[][];
  /** By cell or claim register: what was known at its last change. */
  readonly #changed = new Map<string, Clock>();
  /** The move under way: its operation, the barrier and phase that it waits for. */
  #instruction: Instruction | null = null;
  #step = -1;
  #waited = -1;
  #phase = -1;
  /** Whether a try or claim could succeed. */
  #isReady = true;

  constructor(system: System) {
    this.#system = system;
    this.log = new EventLog(system.roles);
    const { shape } = system.machine;
    const count = shape.barriers.length * shape.ctas;
    this.#barriers = Array.from({ length: count }, () => new BarrierLog(this.log));
    this.#places = new AccessLog(this.log, this.candidates);
    this.#lifetimes = new Lifetimes(system, this.log, this.candidates);
    this.#chains = Array.from({ length: shape.ctas }, () => []);
    this.#grids = new GridLog(system, this.log);
    this.#clusters = shape.grids.map(({ first, end }) => {
      const own = shape.roleCtas.flatMap((cta, role) => (cta >= first && cta < end ? [role] : []));
      return new SplitCluster(system, this.log, own);
    });
  }

  /** Whether the run is too long or too wide to be recorded. */
  get isFull(): boolean {
    const { size, width } = this.log;
    return size >= MAX_WITNESS_EVENTS || size * width > MAX_CLOCK_NUMBERS;
  }

  before(words: Int32Array, agent: number): void {
    const system = this.#system;
    this.#instruction = null;
    this.#waited = -1;
    if (agent >= system.roles) return;
    this.#step = words[agent]!;
    const instruction = system.steps.instruction(this.#step)!;
    this.#instruction = instruction;
    const { kind, target } = instruction;
    this.#waited = system.waits.testedBarrier(words, instruction);
    if (this.#waited < 0) return;
    const isRaw = kind === OpKind.waitParity || instruction.isRaw;
    const { machine } = system;
    this.#phase = isRaw
      ? machine.completed(words, target) - 1
      : system.wantedPhase(words, instruction);
    this.#isReady = !isTry(kind) || system.waits.passes(words, instruction);
  }

  after(words: Int32Array, agent: number, detail: number): void {
    const instruction = this.#instruction;
    if (instruction === null) this.#completed(agent, detail);
    else this.#performed(words, instruction, detail);
    this.#complete(words);
  }

  /** The run is over: what reaches into a CTA must come before the end of one of its roles. */
  end(): void {
    this.#lifetimes.end();
  }

  #performed(words: Int32Array, instruction: Instruction, option: number): void {
    const { role, kind, barriers } = instruction;
    const before = this.log.known(role);
    const event = this.log.add(role, role, option, this.#joinedClock(words, instruction, option));
    if (this.#waited >= 0) this.#waitedFor(event, before, instruction, option);
    switch (kind) {
      case OpKind.arrive:
      case OpKind.arriveDrop:
      case OpKind.expectTx:
      case OpKind.completeTx:
        for (const barrier of barriers) this.#contribute(event, barrier, kind);
        break;
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
        this.#gather(words, event, instruction);
        break;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        this.#issueAll(event, instruction);
        break;
      case OpKind.arriveCluster:
        this.#arriveAtCluster(words, event, instruction);
        break;
      case OpKind.launchDependents:
        this.#grids.launched(event, instruction.cta);
        break;
      case OpKind.read:
      case OpKind.write:
        this.#access(event, instruction);
        this.#lifetimes.reached(event, instruction);
        break;
      case OpKind.free:
        this.#access(event, instruction);
        break;
      case OpKind.spawn:
        this.log.startAt(instruction.target, this.log.clocks[event]!);
        break;
      case OpKind.init:
        this.#barriers[instruction.target] = new BarrierLog(this.log);
        this.#lifetimes.born(event, instruction.target);
        break;
      case OpKind.invalidate:
        this.#lifetimes.barrierEnded(event, instruction.target);
        break;
      case OpKind.exit:
        this.#lifetimes.ctaEnded(event, instruction.cta);
        break;
      case OpKind.load:
        this.#places.cell(event, instruction.target, false);
        break;
      case OpKind.store:
      case OpKind.fetchAdd:
        this.#places.cell(event, instruction.target, true);
        this.#changed.set(`cell ${instruction.target}`, this.log.clocks[event]!);
        break;
      // What these learn was seen before, and they change nothing.
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitStage:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.waitGroup:
      case OpKind.choose:
      case OpKind.join:
      case OpKind.waitCluster:
      case OpKind.waitGrids:
      // What a pool hands out is not followed here: the machine shows what is wrong with it.
      case OpKind.alloc:
      case OpKind.relinquish:
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
      // Silent operations are no moves.
      case OpKind.fence:
      case OpKind.compute:
      case OpKind.more:
      case OpKind.step:
      case OpKind.stage:
        break;
      default:
        return unreachable(kind);
    }
  }

  /** What a role learns by a move, beside what it knew. */
  #joinedClock(words: Int32Array, instruction: Instruction, option: number): Clock {
    const { kind, target, role, cta } = instruction;
    switch (kind) {
      case OpKind.waitGroup:
        return this.#groupsOver(instruction);
      case OpKind.waitCluster:
        return this.#clusters[this.#gridOf(cta)]!.learned(words, role);
      case OpKind.waitGrids:
        return instruction.isRaw
          ? this.#grids.begun(cta)
          : this.#grids.over(cta, this.#threadsBefore(cta));
      case OpKind.load:
      case OpKind.fetchAdd:
        return this.#changed.get(`cell ${target}`) ?? NOTHING;
      case OpKind.join:
        return this.log.known(target);
      case OpKind.tryClaim: {
        const claims = `claims ${target} ${cta}`;
        return joined(this.#passed(option), this.#changed.get(claims) ?? NOTHING);
      }
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitStage:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return this.#passed(option);
      // Gatherings are followed by {@link #gather}.
      case OpKind.syncNamed:
      case OpKind.syncCluster:
      case OpKind.alloc:
      case OpKind.takeRegisters:
      case OpKind.choose:
        return NOTHING;
      default:
        return learnsNothing(kind);
    }
  }

  /** What a wait that passed, or a try that succeeded, learns of its barrier. */
  #passed(option: number): Clock {
    if (this.#waited < 0 || this.#instruction!.isAssumed || this.#fails(option)) return NOTHING;
    return this.#barriers[this.#waited]!.phases.at(-1) ?? NOTHING;
  }

  /** Whether a try answers no. */
  #fails(option: number): boolean {
    return !this.#isReady || (option > 0 && isTry(this.#instruction!.kind));
  }

  /** L: the phase before the one that a wait wants is over when the role comes to it. */
  #waitedFor(event: number, before: Clock, instruction: Instruction, option: number): void {
    const { kind, role } = instruction;
    const barrier = this.#barriers[this.#waited]!;
    this.#lifetimes.touch(event, this.#waited, before);
    if (kind === OpKind.tryClaim && !this.#fails(option)) {
      const claims = `claims ${instruction.target} ${instruction.cta}`;
      this.#changed.set(claims, this.log.clocks[event]!);
    }
    if (instruction.isAssumed) {
      const late = barrier.unknown(barrier.previous, before);
      if (late.length > 0) this.candidates.add('L', `skip ${this.#step}`, role, before);
      return;
    }
    if (this.#fails(option) || this.#system.machine.modeOf(this.#waited) === 'counter') return;
    this.checked.L++;
    const early = barrier.unknown(barrier.older, before);
    if (early.length > 0) {
      const cut = joined(before, barrier.after(this.#phase - 2));
      this.candidates.add('L', `${this.#waited}`, role, cut);
    }
    barrier.observers.push(event);
  }

  /** M: everything of the phase before comes before this contribution. */
  #contribute(event: number, barrier: number, kind: ContributingKind | null): void {
    const log = this.#barriers[barrier]!;
    this.#requireMembership(event, log, `${barrier}`);
    const isArrival = kind === OpKind.arrive || kind === OpKind.arriveDrop;
    log.contribute(event, isArrival, kind === OpKind.expectTx);
    this.#lifetimes.touch(event, barrier, this.log.before(event));
  }

  #access(event: number, { reads, writes }: Pick<Instruction, 'reads' | 'writes'>): void {
    this.checked.R += reads.length + writes.length;
    this.#places.access(event, reads, writes);
  }

  #requireMembership(event: number, log: BarrierLog, place: string): void {
    this.checked.M++;
    const before = this.log.before(event);
    const [late] = log.unknown(log.previous, this.log.clocks[event]!);
    if (late === undefined) return;
    const cut = joined(before, log.after(log.phases.length - 2));
    this.candidates.add('M', place, this.log.agents[event]!, cut);
    this.candidates.add('M', place, this.log.agents[late]!, cut);
  }

  /** U and E, as phases complete. */
  #complete(words: Int32Array): void {
    const { machine } = this.#system;
    if (!machine.hasCompleted) return;
    for (const [barrier, log] of this.#barriers.entries()) {
      const completed = machine.completed(words, barrier);
      while (log.phases.length < completed) {
        this.checked.U += log.observers.length;
        this.checked.E += log.expects.length;
        for (const wait of log.unknown(log.observers, log.open)) {
          const cut = joined(this.log.before(wait), log.open);
          this.candidates.add('U', `${barrier}`, this.log.agents[wait]!, cut);
        }
        for (const expect of log.unknown(log.expects, log.arrivals)) {
          this.candidates.add('E', `${barrier}`, this.log.agents[expect]!, log.arrivals);
        }
        log.complete();
      }
    }
  }

  /** U04, G02, H4: what the groups know that a wait leaves behind, of reads and of a team, too. */
  #groupsOver({ role, unit, reading, team, inFlight }: Instruction): Clock {
    const of = (owner: number, one: number): Clock =>
      this.#queues.get(keyOf(owner, one))?.groupsBefore(inFlight) ?? NOTHING;
    const clocks = [of(role, unit), of(role, reading), ...team.map((owner) => of(owner, unit))];
    return clocks.reduce(joined);
  }

  #gridOf(cta: number): number {
    return this.#system.machine.shape.grids.findIndex(({ end }) => cta < end);
  }

  /** The threads of all flights of the grid before that of a CTA. */
  #threadsBefore(cta: number): number[] {
    const before = this.#grids.ctasBefore(cta);
    const inOrder = [...this.#queues].flatMap(([key, { thread }]) => {
      const { cta: own } = this.#system.program.roles[Math.floor(key / MAX_UNITS)]!;
      return thread >= 0 && before.includes(own) ? [thread] : [];
    });
    return [...before.flatMap((one) => this.#chains[one]!), ...inOrder];
  }

  #arriveAtCluster(words: Int32Array, event: number, { role, cta }: Instruction): void {
    const grid = this.#gridOf(cta);
    const cluster = this.#clusters[grid]!;
    this.#requireMembership(event, cluster.log, `cluster ${grid}`);
    cluster.arrived(words, event, role);
  }

  #gather(words: Int32Array, event: number, { kind, target, role, cta }: Instruction): void {
    const key = kind === OpKind.syncCluster ? -1 - this.#gridOf(cta) : target;
    const known = this.#gatherings.get(key);
    const { log, waiting } = known ?? { log: new BarrierLog(this.log), waiting: new Set<number>() };
    if (known === undefined) this.#gatherings.set(key, { log, waiting });
    if (waiting.delete(role)) {
      // It came before, and all others have come since.
      return this.log.learn(event, log.after(log.phases.length - 1));
    }
    this.#requireMembership(event, log, `named ${key}`);
    log.contribute(event, true, false);
    if (words[role] === this.#step) waiting.add(role);
    else if (this.#system.machine.isGathered(words, key)) {
      if (kind !== OpKind.arriveNamed) this.log.learn(event, log.open);
      log.complete();
    }
  }

  #issueAll(event: number, { flights, barriers, arrivals }: Instruction): void {
    const isAdded = arrivals > 0;
    // U08: the phase waits for one arrival more, as for bytes that are expected.
    if (isAdded) for (const one of barriers) this.#contribute(event, one, OpKind.expectTx);
    for (const id of flights) this.#issue(event, id, isAdded);
  }

  #issue(event: number, id: number, isAdded: boolean): void {
    const flight = this.#system.machine.flights.flights[id]!;
    const queue = this.#queueOf(flight);
    if (flight.kind === FlightKind.group) return queue.closeGroup();
    const work = flight.kind === FlightKind.signal ? queue.issued : queue.issue();
    const issued = { clock: this.log.clocks[event]!, work, isAdded };
    if (flight.kind === FlightKind.copy && flight.barrier >= 0) this.#requireIssue(event, flight);
    const open = this.#issued.get(id);
    if (open === undefined) this.#issued.set(id, [issued]);
    else open.push(issued);
  }

  /** X: a copy is issued when the phase before the one that its bytes complete is over. */
  #requireIssue(event: number, { barrier }: Flight): void {
    const log = this.#barriers[barrier]!;
    this.checked.X++;
    const [late] = log.unknown(log.previous, this.log.clocks[event]!);
    if (late === undefined) return;
    const cut = joined(this.log.clocks[event]!, log.after(log.phases.length - 2));
    this.candidates.add('X', `${barrier}`, this.log.agents[late]!, cut);
  }

  #completed(agent: number, id: number): void {
    const flight = this.#system.machine.flights.flights[id]!;
    const queue = this.#queueOf(flight);
    const { clock, work, isAdded } = this.#issued.get(id)!.shift()!;
    const isSignal = flight.kind === FlightKind.signal;
    const joinedClock = isSignal ? joined(clock, queue.workBefore(work)) : clock;
    const thread =
      isSignal || queue.thread < 0 ? this.#chainAfter(joinedClock, flight.cta) : queue.thread;
    const event = this.log.add(thread, agent, id, joinedClock);
    if (!isSignal) queue.complete(work, event);
    this.#access(event, flight);
    this.#lifetimes.reached(event, flight);
    if (flight.cell >= 0) this.#changed.set(`cell ${flight.cell}`, this.log.clocks[event]!);
    if (flight.barrier >= 0) {
      this.#contribute(event, flight.barrier, isSignal && !isAdded ? OpKind.arrive : null);
    }
  }

  /** A chain whose last event is known, or a new one: no order is made up. */
  #chainAfter(known: Clock, cta: number): number {
    const chains = this.#chains[cta]!;
    for (const thread of chains) {
      const last = this.log.known(thread)[thread] ?? 0;
      if ((known[thread] ?? 0) >= last) return thread;
    }
    const thread = this.log.addThread();
    chains.push(thread);
    return thread;
  }

  #queueOf(flight: Flight): WorkQueue {
    const key = keyOf(flight.role, flight.unit);
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new WorkQueue(this.log, flight.inOrder);
    this.#queues.set(key, queue);
    return queue;
  }
}

function learnsNothing(_kind: PostedKind | SilentKind): Clock {
  return NOTHING;
}

function keyOf(role: number, unit: number): number {
  return role * MAX_UNITS + unit;
}
