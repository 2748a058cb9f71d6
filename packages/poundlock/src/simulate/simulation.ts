// The simulation: a program's roles and units on the machine, event by event, the earliest first.
import { BoundError, InputError } from '../base/index.ts';
import { BLOCKED, canLand, Fault, FlightKind } from '../machine/index.ts';
import type { Flight, Instruction, Machine } from '../machine/index.ts';
import { CATALOGUE, OpKind } from '../op/index.ts';
import type { Program } from '../program/index.ts';
import { moveOf, newState, Registers, writeInitial } from '../system/index.ts';
import type { Move, SystemLayout } from '../system/index.ts';
import { CopyEngine } from './copy-engine.ts';
import { EventQueue } from './event-queue.ts';
import type { Feed } from './feed.ts';
import type { Costs } from './model.ts';
import type { Observer, Performed } from './observer.ts';
import { Polling, sleeps } from './polling.ts';
import { Prices } from './prices.ts';
import { Random } from './random.ts';
import type { StepNode } from './step-graph.ts';
import { isWait, Tests } from './tests.ts';
import { TensorCore } from './tensor-core.ts';

/** The most operations and landings of a run (option `max-events`). */
export const DEFAULT_MAX_EVENTS = 2_000_000_000;
/** By kind: 1 for operations that end waits which are not for a barrier's phase. */
const FREES = new Uint8Array(CATALOGUE.length);
for (const kind of [OpKind.arriveNamed, OpKind.syncNamed, OpKind.syncCluster, OpKind.free]) {
  FREES[kind] = 1;
}

/** By kind: 1 for operations that a role may have to wait at. */
const MAY_WAIT = Uint8Array.from(CATALOGUE, (entry) => Number(entry.class === 'blocking'));
MAY_WAIT[OpKind.asyncUse] = 1;

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

const NOT_STARTED = 0;
const RUNNING = 1;
const PARKED = 2;
const ENDED = 3;
/** Its wait has ended, and it will see so at its next poll. */
const WOKEN = 4;

/** One run of a program on a machine model. */
export class Simulation {
  readonly program: Program;
  readonly #machine: Machine;
  readonly #words: Int32Array;
  readonly #tests: Tests;
  readonly #registers: Registers;
  readonly #feeds: readonly Feed[];
  readonly #costs: Costs;
  readonly #prices: Prices;
  readonly #polling: Polling;
  readonly #random: Random;
  readonly #queue = new EventQueue();
  readonly #copies: CopyEngine;
  /** By unit that lands in order. */
  readonly #cores = new Map<number, TensorCore>();
  readonly #observer: Observer | null;
  readonly #moves: Move[] | null;
  readonly #maxEvents: number;
  readonly #roles: number;
  readonly #state: Uint8Array;
  /** By role: what it stands at, once it has started. */
  readonly #nodes: (StepNode | null)[];
  /** By role: when its operation has its effect. */
  readonly #times: Float64Array;
  /** By role: when it came to its operation; of a wait, when it polled first. */
  readonly #came: Float64Array;
  readonly #firstPoll: Float64Array;
  /** By role: 1 where a wait sleeps, and does not poll. */
  readonly #sleeps: Uint8Array;
  /** By role: the try that failed just before, which is not tried again until it would succeed. */
  readonly #failed: (Instruction | null)[];
  /** By barrier: the completed phases that the observer knows of. */
  readonly #phases: Int32Array;
  readonly #performed: Performed = {} as Performed;
  /** At [0] when the flight lands that is issued. */
  readonly #landing = new Float64Array(1);
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
    this.#tests = new Tests(machine, this.#registers);
    this.#feeds = prepared.feeds();
    this.#costs = costs;
    this.#prices = new Prices(this.#costs);
    this.#polling = new Polling(this.#costs);
    this.#random = new Random(seed);
    this.#copies = new CopyEngine(this.#costs, program.declarations.launch, this.#random);
    this.#observer = options.observer ?? null;
    this.#moves = options.moves ?? null;
    this.#maxEvents = maxEvents;
    const roles = program.roles.length;
    this.#roles = roles;
    this.#state = new Uint8Array(roles);
    this.#nodes = program.roles.map(() => null);
    this.#failed = program.roles.map(() => null);
    this.#times = new Float64Array(roles);
    this.#came = new Float64Array(roles);
    this.#firstPoll = new Float64Array(roles);
    this.#sleeps = Uint8Array.from(program.roles, (role) => Number(sleeps(role)));
    this.ends = new Float64Array(roles);
    this.#phases = new Int32Array(machine.shape.barriers.length * machine.shape.ctas);
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
    if (this.#state.some((state) => state !== ENDED)) this.#refuseDeadlock();
  }

  #start(role: number, time: number): void {
    this.#state[role] = RUNNING;
    this.#observer?.started(role, time);
    this.#times[role] = time;
    if (this.#advance(role, 0)) this.#queue.push(role, this.#times, role);
  }

  /** Performs the operation that a role stands at, and what follows before anything else is due. */
  #act(role: number): void {
    const times = this.#times;
    const queue = this.#queue;
    for (;;) {
      if (++this.events > this.#maxEvents) {
        throw new BoundError('max-events', this.#maxEvents, 'the simulation does not end');
      }
      const node = this.#nodes[role]!;
      if (MAY_WAIT[node.kind] === 1 && this.#mustWait(role, node)) return;
      if (this.#observer !== null) this.#observe(role, node);
      let answer = 0;
      if (node.awaited === null) {
        queue.now[0] = times[role]!;
        answer = this.#perform(role, node.instruction!);
        if (this.#parked > 0 && this.#mayFree(node.kind)) this.#wake();
      } else {
        // It changes nothing, so that nobody can see it.
        answer = node.awaited.stage(this.#words);
        if (this.#moves !== null) this.#moves.push(moveOf(role, 0));
      }
      times[role]! += this.#prices.after[node.priced]!;
      if (answer === BLOCKED) return this.#park(role);
      this.#state[role] = RUNNING;
      if (!this.#advance(role, answer)) return;
      if (queue.isDueBy(times, role)) return queue.push(role, times, role);
    }
  }

  /** Whether a role waits at its operation: until something happens, or for room in a unit. */
  #mustWait(role: number, node: StepNode): boolean {
    if (this.#state[role] === RUNNING) this.#firstPoll[role] = this.#times[role]!;
    if (!this.#isEnabled(role, node)) {
      this.#park(role);
      return true;
    }
    if (node.kind !== OpKind.asyncUse) return false;
    const room = this.#core(node.instruction!.unit).roomAt(role);
    if (room <= this.#times[role]!) return false;
    this.#times[role] = room;
    this.#queue.push(role, this.#times, role);
    return true;
  }

  /**
   * Goes on to the next operation that others can see, whose effect is at the role's time then;
   * `false` if the role has ended.
   */
  #advance(role: number, given: number): boolean {
    const feed = this.#feeds[role]!;
    const times = this.#times;
    let time = times[role]!;
    let answer = given;
    let node = this.#nodes[role] ?? null;
    for (let silent = 0; silent < MAX_SILENT; silent++) {
      const known = feed.isSettled && node !== null ? node.listed[answer] : undefined;
      node = known !== undefined ? known : feed.next(node, answer);
      const { instruction } = node;
      if (instruction === null) {
        feed.requireEnd(node);
        this.#end(role, time);
        return false;
      }
      if (!node.isSilent) {
        this.#nodes[role] = node;
        this.#came[role] = time;
        times[role] = time + this.#prices.before[node.priced]!;
        return true;
      }
      answer = 0;
      if (node.stepped !== null) node.stepped.step(this.#words);
      else if (node.counted !== null) answer = node.counted.more(this.#words);
      else if (node.kind === OpKind.compute) {
        const end = time + this.#prices.compute(instruction.count);
        this.#observer?.computed(role, node.step, time, end);
        time = end;
      } else answer = this.#silent(role, instruction);
    }
    throw new BoundError('silent', MAX_SILENT, 'a role does nothing that others can see');
  }

  #silent(role: number, instruction: Instruction): number {
    const words = this.#words;
    switch (instruction.kind) {
      case OpKind.step:
        if (this.#registers.isMisstep(words, instruction)) this.#refuse(role, instruction);
        this.#registers.step(words, instruction);
        return 0;
      case OpKind.stage:
        return this.#registers.stage(words, instruction);
      default:
        return 0;
    }
  }

  #end(role: number, time: number): void {
    this.#nodes[role] = null;
    this.#state[role] = ENDED;
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

  #isEnabled(role: number, node: StepNode): boolean {
    const words = this.#words;
    if (node.awaited !== null) return node.awaited.passes(words, this.#machine);
    const instruction = node.instruction!;
    if (instruction.kind === OpKind.join) return this.#state[instruction.target] === ENDED;
    if (this.#failed[role] !== instruction) return this.#tests.isEnabled(words, instruction);
    return this.#tests.isReady(words, instruction);
  }

  #perform(role: number, instruction: Instruction): number {
    const machine = this.#machine;
    const words = this.#words;
    machine.fault = Fault.none;
    machine.hasCompleted = false;
    if (this.#failed[role] !== null) this.#failed[role] = null;
    let answer = 0;
    switch (instruction.kind) {
      case OpKind.waitStage:
        answer = this.#registers.stage(words, instruction);
        break;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim: {
        const isReady = this.#tests.isReady(words, instruction);
        if (!isReady) this.#failed[role] = instruction;
        const isClaim = instruction.kind === OpKind.tryClaim;
        if (isClaim) answer = isReady ? this.#registers.claim(words, instruction) : -1;
        else answer = isReady ? 1 : 0;
        break;
      }
      case OpKind.choose:
        answer = this.#random.below(instruction.count);
        break;
      case OpKind.spawn:
        if (this.#state[instruction.target] === NOT_STARTED) {
          this.#start(instruction.target, this.#times[role]!);
        }
        break;
      case OpKind.join:
        break;
      default:
        answer = machine.issue(words, instruction);
    }
    this.#moves?.push(moveOf(role, instruction.kind === OpKind.choose ? answer : 0));
    if (machine.fault !== Fault.none) this.#refuse(role, instruction);
    if (machine.hasCompleted && this.#observer !== null) {
      for (const barrier of instruction.barriers) {
        this.#tellPhases(barrier, this.#times[role]!, role);
      }
    }
    if (instruction.flights.length > 0) this.#launch(role, instruction);
    return answer;
  }

  #observe(role: number, { step, instruction, priced }: StepNode): void {
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
    told.barrier = this.#tests.barrierOf(this.#words, instruction!);
    this.#observer!.performed(told);
  }

  #tellPhases(barrier: number, time: number, role: number): void {
    const completed = this.#machine.completed(this.#words, barrier);
    while (this.#phases[barrier]! < completed) {
      this.#phases[barrier]! += 1;
      this.#observer!.completed(barrier, time, role);
    }
  }

  #launch(role: number, instruction: Instruction): void {
    const { flights } = this.#machine.flights;
    const { now } = this.#queue;
    for (let i = 0; i < instruction.flights.length; i++) {
      const id = instruction.flights[i]!;
      const flight = flights[id]!;
      if (flight.kind === FlightKind.group) continue;
      this.#findLanding(role, flight);
      this.#observer?.launched(flight, now[0]!, this.#landing[0]!);
      this.#queue.push(this.#roles + id, this.#landing, 0);
    }
  }

  /** When a flight lands that is issued now. */
  #findLanding(role: number, flight: Flight): void {
    const { now } = this.#queue;
    const landing = this.#landing;
    if (flight.kind === FlightKind.copy) return this.#copies.land(now, flight.bytes, landing);
    const core = this.#core(flight.unit);
    landing[0] =
      flight.kind === FlightKind.signal
        ? Math.max(now[0]!, core.doneAt(role))
        : core.issue(now[0]!, role, flight.value || this.#costs.mmaDefaultCycles);
  }

  #core(unit: number): TensorCore {
    const known = this.#cores.get(unit) ?? new TensorCore(this.#costs);
    this.#cores.set(unit, known);
    return known;
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
    if (machine.fault !== Fault.none) this.#refuseFlight(flight);
    if (this.#observer !== null) {
      const time = this.#queue.now[0]!;
      this.#observer.landed(flight, time);
      if (flight.barrier >= 0) this.#tellPhases(flight.barrier, time, -1);
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

  #park(role: number): void {
    if (this.#state[role] === PARKED) return;
    this.#state[role] = PARKED;
    this.#parked++;
  }

  /** Lets roles go on whose wait has ended, at their next poll. */
  #wake(): void {
    const { hasCompleted } = this.#machine;
    const { now } = this.#queue;
    for (let role = 0; role < this.#roles; role++) {
      if (this.#state[role] !== PARKED) continue;
      const node = this.#nodes[role]!;
      if (!hasCompleted && isWait(node.kind)) continue;
      if (!this.#isEnabled(role, node)) continue;
      this.#state[role] = WOKEN;
      this.#parked--;
      this.#times[role] = now[0]!;
      if (node.kind === OpKind.waitGroup) this.#times[role]! += this.#costs.mmaDrainCycles;
      else if (isWait(node.kind) && this.#sleeps[role] === 0) {
        this.#polling.delay(this.#times, role, this.#firstPoll);
      }
      this.#queue.push(role, this.#times, role);
    }
  }

  #refuse(role: number, instruction: Instruction): never {
    const { name } = this.program.roles[role]!;
    const { name: op } = CATALOGUE[instruction.kind]!;
    throw new InputError(`role ${name} breaks a rule of the machine with ${op}: run check on it`);
  }

  #refuseFlight(flight: Flight): never {
    const { name } = this.program.roles[flight.role]!;
    throw new InputError(`a flight of role ${name} breaks a rule as it lands: run check on it`);
  }

  #refuseDeadlock(): never {
    const stuck = this.program.roles.filter((_, role) => this.#state[role] !== ENDED);
    const names = stuck.map((role) => role.name).join(', ');
    throw new InputError(`deadlock: ${names} wait for ever: run check on it`);
  }
}
