// The simulation: a program's roles and units on the machine, event by event, the earliest first.
import { BoundError, InvariantError, unreachable } from '@poundlock/core/internal/base';
import { BLOCKED, canLand, Fault, FlightKind } from '@poundlock/core/internal/machine';
import type { Flight, Instruction, Machine } from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isTry,
  isWait,
  OpKind,
  type SilentKind,
  type TryKind,
} from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import {
  moveOf,
  newState,
  Registers,
  WaitConditions,
  writeInitial,
} from '@poundlock/core/internal/system';
import type { Move, SystemLayout } from '@poundlock/core/internal/system';
import { Actor, Doing } from './actor.ts';
import { EventQueue } from './event-queue.ts';
import type { Feed } from './step-source.ts';
import { FREES } from './frees.ts';
import type { Costs } from './model.ts';
import type { Observer, Performed } from './observer.ts';
import { Polling, sleeps } from './polling.ts';
import { Prices } from './prices.ts';
import { Random } from './random.ts';
import { brokenBy, brokenLanding, deadlock, endless } from './errors.ts';
import { Pace, type StepNode } from './step-graph.ts';
import { ToldPhases } from './phase-notifier.ts';
import { Units } from './units.ts';

/** The most operations and landings of a run (option `max-events`). */
export const DEFAULT_MAX_EVENTS = 2_000_000_000;
/** By kind: 1 for operations that a role may have to wait at. */
const MAY_WAIT = Uint8Array.from(CATALOGUE, (entry) => {
  return Number(entry.class === 'blocking' || entry.cost === 'use');
});

/** The most operations in a row that take no time and touch nothing (bound `silent`). */
const MAX_SILENT = 1_000_000;

export interface SimulationOptions {
  readonly costs: Costs;
  readonly seed?: number;
  readonly maxEvents?: number;
  readonly observer?: Observer | null;
  /** Collects the moves of the schedule, as `system` replays them. */
  readonly moves?: Move[] | null;
}

/** A program on its machine, which keep no state: any number of runs may use them. */
export interface Prepared {
  readonly program: Program;
  readonly layout: SystemLayout;
  readonly machine: Machine;
  /** Fresh feeds of its roles. */
  readonly feeds: () => readonly Feed[];
}

/** What is shorter, in cycles, comes from adding fractions of cycles up. */
const LEAST_STALL = 1e-3;

/** Operations that the machine does not answer. */
type DecidedKind =
  | TryKind
  | typeof OpKind.waitStage
  | typeof OpKind.choose
  | typeof OpKind.spawn
  | typeof OpKind.join;

/** One run of a program on a machine model. */
export class Simulation {
  readonly program: Program;
  readonly #machine: Machine;
  readonly #words: Int32Array;
  readonly #waits: WaitConditions;
  readonly #registers: Registers;
  /** By role. */
  readonly #actors: readonly Actor[];
  readonly #costs: Costs;
  readonly #prices: Prices;
  readonly #polling: Polling;
  readonly #random: Random;
  readonly #queue = new EventQueue();
  readonly #units: Units;
  readonly #observer: Observer | null;
  readonly #moves: Move[] | null;
  readonly #maxEvents: number;
  readonly #roles: number;
  /** By role: when its operation has its effect. */
  readonly #times: Float64Array;
  /** By role: when it came to its operation; of a wait, when it polled first. */
  readonly #came: Float64Array;
  readonly #firstPoll: Float64Array;
  readonly #phases: ToldPhases | null;
  readonly #performed: Performed = {} as Performed;
  #parked = 0;
  events = 0;
  /** By role: when it ended. */
  readonly ends: Float64Array;

  constructor(prepared: Prepared, options: SimulationOptions) {
    const { program, layout, machine } = prepared;
    const { costs, seed = 1, maxEvents = DEFAULT_MAX_EVENTS } = options;
    this.program = program;
    this.#machine = machine;
    this.#words = newState(machine);
    writeInitial(machine.shape, machine.layout, this.#words);
    this.#registers = new Registers(program, layout, machine);
    this.#waits = new WaitConditions(machine, this.#registers);
    this.#costs = costs;
    this.#prices = new Prices(this.#costs);
    this.#polling = new Polling(this.#costs);
    this.#random = new Random(seed);
    this.#units = new Units(costs, program.declarations.launch, this.#random);
    const { observer = null } = options;
    this.#observer = observer;
    this.#phases = observer && new ToldPhases(machine, this.#words, observer);
    this.#moves = options.moves ?? null;
    this.#maxEvents = maxEvents;
    const roles = program.roles.length;
    this.#roles = roles;
    const feeds = prepared.feeds();
    this.#actors = program.roles.map(
      (role, index) => new Actor(index, feeds[index]!, sleeps(role)),
    );
    this.#times = new Float64Array(roles);
    this.#came = new Float64Array(roles);
    this.#firstPoll = new Float64Array(roles);
    this.ends = new Float64Array(roles);
  }

  /**
   * Runs to the end.
   *
   * @throws InputError if the program deadlocks or breaks a rule of the machine.
   * @throws BoundError if it makes more events than allowed.
   */
  run(): void {
    const queue = this.#queue;
    this.program.roles.forEach((role, index) => {
      if (!role.spawned) this.#start(index, this.#costs.launchCycles);
    });
    while (queue.size > 0) {
      const event = queue.pop();
      if (event < this.#roles) this.#act(event);
      else this.#land(event - this.#roles);
    }
    const stuck = this.program.roles.filter((_, role) => this.#actors[role]!.doing !== Doing.ended);
    if (stuck.length > 0) throw deadlock(stuck);
  }

  #start(role: number, time: number): void {
    const actor = this.#actors[role]!;
    actor.doing = Doing.running;
    this.#observer?.started(role, time);
    this.#times[role] = time;
    if (this.#advance(actor, 0)) this.#queue.push(role, this.#times, role);
  }

  /** Performs the operation that a role stands at, and what follows before anything else is due. */
  #act(role: number): void {
    const actor = this.#actors[role]!;
    const times = this.#times;
    const queue = this.#queue;
    const { after } = this.#prices;
    for (;;) {
      if (++this.events > this.#maxEvents) throw endless(this.#maxEvents);
      const node = actor.node!;
      if (MAY_WAIT[node.kind] === 1 && this.#mustWait(actor, node)) return;
      if (this.#observer !== null) this.#observe(actor, node);
      let answer = 0;
      if (node.awaited === null) {
        queue.now[0] = times[role]!;
        answer = this.#perform(actor, node);
        if (this.#parked > 0 && this.#mayFree(node.kind)) this.#wake();
      } else {
        // It changes nothing, so that nobody can see it.
        answer = node.awaited.stage(this.#words);
        if (this.#moves !== null) this.#moves.push(moveOf(role, 0));
      }
      times[role]! += after[node.priced]!;
      if (answer === BLOCKED) return this.#park(actor, node);
      actor.doing = Doing.running;
      if (!this.#advance(actor, answer)) return;
      if (queue.isDueBy(times, role)) return queue.push(role, times, role);
    }
  }

  /** Whether a role waits at its operation: until something happens, or for room in a unit. */
  #mustWait(actor: Actor, node: StepNode): boolean {
    const { role } = actor;
    if (actor.doing === Doing.running) this.#firstPoll[role] = this.#times[role]!;
    if (!this.#isEnabled(actor, node)) {
      this.#park(actor, node);
      return true;
    }
    return node.kind === OpKind.asyncUse && this.#hasNoRoom(role, node.instruction!);
  }

  #hasNoRoom(role: number, { unit }: Instruction): boolean {
    const room = this.#units.roomAt(unit, role);
    if (room <= this.#times[role]!) return false;
    this.#times[role] = room;
    this.#queue.push(role, this.#times, role);
    return true;
  }

  /**
   * Goes on to the next operation that others can see, whose effect is at the role's time then;
   * `false` if the role has ended.
   */
  #advance(actor: Actor, given: number): boolean {
    const { role, feed } = actor;
    const times = this.#times;
    const words = this.#words;
    const { before } = this.#prices;
    let time = times[role]!;
    let answer = given;
    let { node } = actor;
    const isSettled = feed.isSettled && node !== null;
    for (let silent = 0; silent < MAX_SILENT; silent++) {
      const known = isSettled ? (answer === 0 ? node!.first : node!.listed[answer]) : null;
      node = known ?? feed.next(node, answer);
      if (node.pace === Pace.seen) {
        actor.node = node;
        this.#came[role] = time;
        times[role] = time + before[node.priced]!;
        return true;
      }
      answer = 0;
      if (node.pace === Pace.count) answer = node.counted!.more(words);
      else if (node.pace === Pace.step) node.stepped!.step(words);
      else if (node.pace === Pace.compute) time = this.#compute(role, node, time);
      else if (node.pace === Pace.silent)
        answer = this.#silent(role, node.kind as SilentKind, node.instruction!);
      else {
        feed.requireEnd(node);
        this.#end(actor, time);
        return false;
      }
    }
    throw new BoundError('silent', MAX_SILENT, 'a role does nothing that others can see');
  }

  /** When a role has worked for a time. */
  #compute(role: number, { instruction, step }: StepNode, time: number): number {
    const end = time + this.#prices.compute(instruction!.cycles);
    if (this.#observer !== null) this.#observer.computed(role, step, time, end);
    return end;
  }

  /** Silent operations whose register was not found before. */
  #silent(role: number, kind: SilentKind, instruction: Instruction): number {
    const words = this.#words;
    switch (kind) {
      case OpKind.step:
        if (this.#registers.isMisstep(words, instruction))
          throw brokenBy(this.program.roles[role]!, instruction);
        this.#registers.step(words, instruction);
        return 0;
      case OpKind.stage:
        return this.#registers.stage(words, instruction);
      case OpKind.more:
        return this.#registers.more(words, instruction);
      // S03; time is not passed here.
      case OpKind.fence:
      case OpKind.compute:
        return 0;
      default:
        return unreachable(kind);
    }
  }

  #end(actor: Actor, time: number): void {
    const { role } = actor;
    actor.node = null;
    actor.doing = Doing.ended;
    this.ends[role] = time;
    this.#machine.fault = Fault.none;
    this.#machine.endRole(this.#words, role);
    this.#observer?.ended(role, time);
    this.#queue.now[0] = time;
    if (this.#parked > 0) this.#wake();
  }

  /** Whether what was just done can have ended somebody's wait. */
  #mayFree(kind: OpKind): boolean {
    return this.#machine.hasCompleted || FREES[kind] === 1;
  }

  #isEnabled(actor: Actor, node: StepNode): boolean {
    const words = this.#words;
    if (node.awaited !== null) return node.awaited.passes(words, this.#machine);
    const instruction = node.instruction!;
    if (instruction.kind === OpKind.join) {
      return this.#actors[instruction.target]!.doing === Doing.ended;
    }
    // M08, P07: a try answers at once, but one that has just failed waits.
    if (isTry(instruction.kind) && actor.failed !== instruction) return true;
    return this.#waits.passes(words, instruction);
  }

  #perform(actor: Actor, { kind, instruction }: StepNode): number {
    const { role } = actor;
    const machine = this.#machine;
    machine.hasCompleted = false;
    actor.failed = null;
    const answer = this.#answer(actor, instruction!);
    if (this.#moves !== null) this.#moves.push(moveOf(role, kind === OpKind.choose ? answer : 0));
    if (machine.fault !== Fault.none) throw brokenBy(this.program.roles[role]!, instruction!);
    if (this.#phases !== null && machine.hasCompleted) {
      for (const at of instruction!.barriers) this.#phases.tell(at, this.#times[role]!, role);
    }
    if (instruction!.flights.length > 0) this.#launch(role, instruction!);
    return answer;
  }

  /** The machine's answer, or what it leaves to registers, to chance and to the roles. */
  #answer(actor: Actor, instruction: Instruction): number {
    const { kind } = instruction;
    switch (kind) {
      case OpKind.init:
      case OpKind.invalidate:
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.arrive:
      case OpKind.expectTx:
      case OpKind.completeTx:
      case OpKind.arriveDrop:
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
      case OpKind.waitGroup:
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
      case OpKind.read:
      case OpKind.write:
      case OpKind.store:
      case OpKind.load:
      case OpKind.fetchAdd:
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
      case OpKind.exit:
        return this.#machine.issue(this.#words, instruction);
      case OpKind.waitStage:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.choose:
      case OpKind.spawn:
      case OpKind.join:
        return this.#decide(actor, kind, instruction);
      default:
        return noEvent(kind);
    }
  }

  #decide(actor: Actor, kind: DecidedKind, instruction: Instruction): number {
    const words = this.#words;
    this.#machine.fault = Fault.none;
    switch (kind) {
      case OpKind.waitStage:
        return this.#registers.stage(words, instruction);
      case OpKind.choose:
        return this.#random.below(instruction.choices);
      case OpKind.spawn:
        if (this.#actors[instruction.target]!.doing === Doing.nothing) {
          this.#start(instruction.target, this.#times[actor.role]!);
        }
        return 0;
      case OpKind.join:
        return 0;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return this.#succeeds(actor, instruction) ? 1 : 0;
      case OpKind.tryClaim:
        if (!this.#succeeds(actor, instruction)) return -1;
        return this.#registers.claim(words, instruction);
      default:
        return unreachable(kind);
    }
  }

  #succeeds(actor: Actor, instruction: Instruction): boolean {
    const isReady = this.#waits.passes(this.#words, instruction);
    if (!isReady) actor.failed = instruction;
    return isReady;
  }

  #observe({ role }: Actor, { step, instruction, priced }: StepNode): void {
    const told = this.#performed;
    const time = this.#times[role]!;
    told.role = role;
    told.step = step;
    told.instruction = instruction!;
    told.came = this.#came[role]!;
    told.time = time;
    told.end = time + this.#prices.after[priced]!;
    const late = time - told.came - this.#prices.before[priced]!;
    told.stall = late > LEAST_STALL ? late : 0;
    told.barrier = this.#waits.testedBarrier(this.#words, instruction!);
    this.#observer!.performed(told);
  }

  #launch(role: number, instruction: Instruction): void {
    const { flights } = this.#machine.flights;
    const { now } = this.#queue;
    const { landing } = this.#units;
    for (let i = 0; i < instruction.flights.length; i++) {
      const id = instruction.flights[i]!;
      const flight = flights[id]!;
      if (flight.kind === FlightKind.group) continue;
      this.#units.take(now, role, flight);
      this.#observer?.launched(flight, now[0]!, landing[0]!);
      this.#queue.push(this.#roles + id, landing, 0);
    }
  }

  #land(id: number): void {
    this.events++;
    const machine = this.#machine;
    const words = this.#words;
    const at = machine.layout.flights;
    machine.hasCompleted = false;
    const flight = machine.flights.flights[id]!;
    let index = 0;
    while (words[at + 1 + index] !== id || !canLand(machine.flights, words, at, index)) index++;
    if (this.#moves !== null) this.#moves.push(this.#landingMove(flight, index));
    machine.land(words, index);
    if (machine.fault !== Fault.none) throw brokenLanding(this.program.roles[flight.role]!);
    if (this.#observer !== null) {
      const time = this.#queue.now[0]!;
      this.#observer.landed(flight, time);
      if (flight.barrier >= 0) this.#phases!.tell(flight.barrier, time, -1);
    }
    if (this.#parked > 0) this.#wake();
  }

  /** The move that lands the flight at `index`: its number among those of its unit that can. */
  #landingMove({ unit }: Flight, index: number): Move {
    const { flights, layout } = this.#machine;
    const at = layout.flights;
    let option = 0;
    for (let before = 0; before < index; before++) {
      const other = flights.flights[this.#words[at + 1 + before]!]!;
      if (other.unit === unit && canLand(flights, this.#words, at, before)) option++;
    }
    return moveOf(this.#roles + unit, option);
  }

  #park(actor: Actor, node: StepNode): void {
    if (actor.doing === Doing.parked) return;
    actor.doing = Doing.parked;
    this.#parked++;
    const words = this.#words;
    actor.standsAt =
      node.awaited !== null
        ? node.awaited.barrier(words)
        : this.#waits.testedBarrier(words, node.instruction!);
  }

  /** Lets roles go on whose wait has ended, at their next poll. */
  #wake(): void {
    const actors = this.#actors;
    const { hasCompleted, completedAt } = this.#machine;
    for (let role = 0; role < actors.length; role++) {
      const actor = actors[role]!;
      if (actor.doing !== Doing.parked) continue;
      const { standsAt } = actor;
      if (completedAt >= 0 && standsAt >= 0 && standsAt !== completedAt) continue;
      const node = actor.node!;
      if (!hasCompleted && isWait(node.kind)) continue;
      if (this.#isEnabled(actor, node)) this.#wakeUp(actor, node.kind);
    }
  }

  #wakeUp(actor: Actor, kind: OpKind): void {
    const { role } = actor;
    const times = this.#times;
    actor.doing = Doing.woken;
    this.#parked--;
    times[role] = this.#queue.now[0]!;
    if (kind === OpKind.waitGroup) times[role]! += this.#costs.mmaDrainCycles;
    else if (isWait(kind) && !actor.sleeps) this.#polling.delay(times, role, this.#firstPoll);
    this.#queue.push(role, times, role);
  }
}

/** Silent operations belong to the event before them (P10). */
function noEvent(kind: SilentKind): never {
  throw new InvariantError(`${CATALOGUE[kind]!.name} is no event`);
}
