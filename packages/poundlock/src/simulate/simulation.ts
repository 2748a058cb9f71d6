// Discrete-event simulation of a program's roles and asynchronous units on the machine.
import { BoundError } from '@poundlock/core/internal/base';
import { BLOCKED, Fault, FlightKind } from '@poundlock/core/internal/machine';
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { isTry, isWait, OpKind, type SilentKind } from '@poundlock/core/internal/op';
import { MAX_SILENT, neverPerformed, RoleDriver, Stand } from '@poundlock/core/internal/program';
import type { Program, RoleHost } from '@poundlock/core/internal/program';
import { newState, Registers, WaitConditions, writeInitial } from '@poundlock/core/internal/system';
import { type Actor, ActorState } from './actor.ts';
import { Answers } from './answers.ts';
import { type DecidedKind, Effect } from './effect.ts';
import { EventQueue } from './event-queue.ts';
import { FlightClasses } from './flight-class.ts';
import { styleNumber } from './polling.ts';
import type { PreparedProgram, SimulationOptions } from './prepared.ts';
import { Random } from './random.ts';
import { Reaches } from './reaches.ts';
import { RoleSteps } from './role-steps.ts';
import { RoleTimes } from './role-times.ts';
import { ruleBrokenBy, ruleBrokenByFlight, deadlock, eventBoundReached } from './errors.ts';
import type { StepNode } from './step-graph.ts';
import { Units } from './units.ts';
import { Watch } from './watch.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { running: RUNNING, parked: PARKED, woken: WOKEN } = ActorState;
const { machine: MACHINE, decided: DECIDED, never: NEVER } = Effect;
const { arrive: ARRIVE, launch: LAUNCH, touch: TOUCH, spawn: SPAWN } = Effect;
const { none: NO_FAULT } = Fault;
const { visible: VISIBLE } = Stand;
const { asyncUse: ASYNC_USE, join: JOIN, waitGroup: WAIT_GROUP } = OpKind;
const { group: GROUP } = FlightKind;
const WAITING = BLOCKED;

/** The most operations and completions of a run (option `max-events`). */
export const DEFAULT_MAX_EVENTS = 2_000_000_000;

/**
 * One run of a program on a cost model. Its loop compares fields with `true`: to test whether a
 * field is truthy takes V8 up to ten comparisons.
 */
export class Simulation implements RoleHost {
  readonly program: Program;
  readonly #machine: Machine;
  readonly #driver: RoleDriver;
  readonly #steps: RoleSteps;
  readonly #words: Int32Array;
  readonly #waits: WaitConditions;
  /** By role. */
  readonly #actors: readonly Actor[];
  readonly #answers: Answers;
  readonly #queue = new EventQueue();
  readonly units: Units;
  /** `null` if nothing follows the run. */
  readonly #watch: Watch | null;
  readonly #maxEvents: number;
  /** What reaches from one CTA into another; `null` if there is one CTA. */
  readonly #reaches: Reaches | null;
  readonly #roles: number;
  readonly #roleTimes: RoleTimes;
  #parked = 0;
  events = 0;
  /** By role: when it ended. */
  readonly ends: Float64Array;

  constructor(prepared: PreparedProgram, options: SimulationOptions) {
    const { program, layout, machine } = prepared;
    const { costs, seed = 1, maxEvents = DEFAULT_MAX_EVENTS } = options;
    this.program = program;
    this.#machine = machine;
    this.#driver = new RoleDriver(this, program, machine);
    this.#words = newState(machine);
    writeInitial(machine.shape, machine.layout, this.#words);
    const registers = new Registers(program, layout, machine);
    const waits = new WaitConditions(machine, registers);
    this.#waits = waits;
    const random = new Random(seed);
    const { most } = program.rows;
    const words = this.#words;
    this.#answers = new Answers({ machine, words, registers, waits, random, most });
    const classes = new FlightClasses(program, machine);
    const { sharing, beside = null } = options;
    this.units = new Units(costs, program, { classes, random, sharing, beside });
    this.#maxEvents = maxEvents;
    this.#reaches = program.ctas > 1 ? new Reaches(program, costs) : null;
    const roles = program.roles.length;
    this.#roles = roles;
    const isTiled = program.declarations.launch.copies === 'tiled';
    const roleTimes = new RoleTimes(costs, isTiled, program.kernel.timing !== undefined);
    this.#roleTimes = roleTimes;
    const { observer = null, moves = null } = options;
    const watched = { machine, words: this.#words, roles, waits, roleTimes };
    const isFollowed = observer !== null || moves !== null;
    this.#watch = isFollowed ? new Watch({ observer, moves }, watched) : null;
    const { units } = this;
    const steps = { program, words, registers, roleTimes, units, watch: this.#watch };
    this.#steps = new RoleSteps(steps);
    const sources = prepared.sources();
    this.#actors = program.roles.map((role, index) =>
      roleTimes.actorOf(index, sources[index]!, styleNumber(role.waits)),
    );
    this.ends = new Float64Array(roles);
  }

  /**
   * Runs to the end.
   *
   * @throws InputError if the program deadlocks or breaks a rule of the machine.
   * @throws BoundError if it exceeds the bound on events.
   */
  run(): void {
    this.start();
    if (this.#queue.size > 0) this.stepUntil(Infinity);
    this.finish();
  }

  /** Starts the roles at a time: the first half of {@link run}, for CTAs that share an SM. */
  start(at = 0): void {
    for (const actor of this.#actors) this.#roleTimes.reset(actor, at);
    this.#driver.startAll(this.#words);
    for (const actor of this.#actors) if (actor.node !== null) this.#schedule(actor);
  }

  /** When the next event is due; infinite if there is none. */
  get dueAt(): number {
    return this.#queue.dueAt;
  }

  /** Performs the events that are due next, until those of other CTAs are: at `horizon`. */
  stepUntil(horizon: number): void {
    this.#queue.horizon = horizon;
    do this.step();
    while (this.#queue.nextAt < horizon);
  }

  /** Performs the events that are due next. */
  step(): void {
    const event = this.#queue.pop();
    if (event < this.#roles) this.#runRole(event);
    else this.#completeFlight(event - this.#roles);
  }

  /** @throws InputError if the program deadlocks. */
  finish(): void {
    const stuck = this.program.roles.filter((_, role) => !this.hasEnded(this.#words, role));
    if (stuck.length > 0) throw deadlock(stuck);
  }

  /** Enqueues a started role at its first operation. */
  #schedule(actor: Actor): void {
    this.#roleTimes.reach(actor, actor.node!, actor.at);
    this.#enqueue(actor);
  }

  #enqueue(actor: Actor): void {
    this.#queue.due = actor.at;
    this.#queue.push(actor.role);
  }

  /** Performs the current operation of a role and the following ones until another event is due. */
  #runRole(role: number): void {
    const actor = this.#actors[role]!;
    const queue = this.#queue;
    for (;;) {
      if (++this.events > this.#maxEvents) throw eventBoundReached(this.#maxEvents);
      const node = actor.node!;
      if (this.#isHeld(actor)) return this.#enqueue(actor);
      const { waitRegister } = node;
      let answer = 0;
      if (waitRegister === null) {
        if (node.mayWait === true && this.#mustWait(actor, node)) return;
        if (this.#watch !== null) this.#watch.performing(actor, node);
        queue.now = actor.at;
        answer = this.#perform(actor, node);
        if (this.#parked > 0 && (this.#machine.hasCompleted || node.frees)) this.#wake();
      } else {
        if (actor.state === RUNNING) actor.firstPoll = actor.at;
        if (!waitRegister.passes(this.#words, this.#machine)) return this.#park(actor, node);
        if (this.#reaches !== null && !this.#isVisible(actor, node)) return;
        if (this.#watch !== null) this.#watch.performing(actor, node);
        // A wait changes no state, so no other role can observe it.
        answer = waitRegister.stage(this.#words);
        if (this.#watch !== null) this.#watch.moved(actor, node, answer);
      }
      if (answer === WAITING) {
        this.#roleTimes.leave(actor, node, this.units);
        return this.#park(actor, node);
      }
      actor.state = RUNNING;
      if (!this.#moveOn(actor, node, answer)) return;
      if (queue.nextAt <= actor.at) {
        queue.due = actor.at;
        return queue.push(role);
      }
    }
  }

  /** Brings a role to its next visible operation; `false` if there is none. */
  #moveOn(actor: Actor, node: StepNode, answer: number): boolean {
    const stand = this.#steps.moveOn(actor, node, answer);
    if (stand === VISIBLE) return true;
    if (this.#driver.settle(this.#words, actor.role, stand) !== VISIBLE) return false;
    this.#roleTimes.reach(actor, actor.node!, actor.at);
    return true;
  }

  #isHeld(actor: Actor): boolean {
    return actor.heldIn >= 0 && this.#roleTimes.isHeld(actor, this.units);
  }

  /** Whether a role waits at its operation: for another role or flight, or for room in a unit. */
  #mustWait(actor: Actor, node: StepNode): boolean {
    if (actor.state === RUNNING) actor.firstPoll = actor.at;
    if (!this.#isEnabled(actor, node)) {
      this.#park(actor, node);
      return true;
    }
    if (this.#reaches !== null && !this.#isVisible(actor, node)) return true;
    return node.kind === ASYNC_USE && this.#hasNoRoom(actor, node.instruction!);
  }

  /** Whether what a wait tests has arrived in its CTA; else the role waits until it has. */
  #isVisible(actor: Actor, node: StepNode): boolean {
    if (this.#reaches!.isVisible(this.#barrierOf(node), actor)) return true;
    actor.state = WOKEN;
    this.#roleTimes.awake(actor, node, 0);
    this.#enqueue(actor);
    return false;
  }

  #hasNoRoom(actor: Actor, { cta }: Instruction): boolean {
    const room = this.units.roomAt(cta, actor.role);
    if (room <= actor.at) return false;
    actor.at = room;
    this.#enqueue(actor);
    return true;
  }

  #spawn(role: number, time: number): void {
    const actor = this.#actors[role]!;
    if (this.hasStarted(this.#words, role)) return;
    actor.at = time;
    this.#driver.start(this.#words, role);
    if (actor.node !== null) this.#schedule(actor);
  }

  hasStarted(_words: Int32Array, role: number): boolean {
    return this.#actors[role]!.state !== ActorState.notStarted;
  }

  hasEnded(_words: Int32Array, role: number): boolean {
    return this.#actors[role]!.state === ActorState.ended;
  }

  enter(_words: Int32Array, role: number): Stand {
    const actor = this.#actors[role]!;
    actor.state = RUNNING;
    this.#watch?.started(actor);
    return this.#steps.enter(actor);
  }

  pass(_words: Int32Array, role: number): Stand {
    return this.#steps.pass(this.#actors[role]!);
  }

  misused(_words: Int32Array, role: number): void {
    const { source, node } = this.#actors[role]!;
    source.throwMisuse(node!);
  }

  ended(_words: Int32Array, role: number): void {
    const actor = this.#actors[role]!;
    const time = actor.at;
    actor.node = null;
    actor.state = ActorState.ended;
    this.ends[role] = time;
    this.#watch?.ended(actor);
    this.#queue.now = time;
    if (this.#parked > 0) this.#wake();
  }

  endless(_words: Int32Array, role: number): never {
    const { name } = this.program.roles[role]!;
    throw new BoundError(
      'silent',
      MAX_SILENT,
      `role ${name} performs only operations that no other role can observe`,
    );
  }

  #isEnabled(actor: Actor, node: StepNode): boolean {
    const words = this.#words;
    if (node.waitRegister !== null) return node.waitRegister.passes(words, this.#machine);
    const instruction = node.instruction!;
    if (instruction.kind === JOIN) {
      return this.#driver.mayJoin(words, instruction.target);
    }
    return this.#answers.passes(actor, instruction, node.isPoll);
  }

  #perform(actor: Actor, node: StepNode): number {
    const machine = this.#machine;
    const instruction = node.instruction!;
    machine.hasCompleted = false;
    if (!isTry(node.kind)) actor.failedTry = null;
    const answer = this.#answer(actor, node, instruction);
    if (this.#watch !== null) this.#watch.moved(actor, node, answer);
    if (machine.fault !== NO_FAULT) {
      throw ruleBrokenBy(this.program.roles[actor.role]!, instruction);
    }
    if (this.#reaches !== null) this.#reaches.arrived(instruction, actor.at, machine);
    if (this.#watch !== null) this.#watch.performed(actor, instruction);
    if (node.launches === true) this.#issueFlights(actor.role, instruction);
    return answer;
  }

  /** Performs an operation on the machine, or with registers, random choices and other roles. */
  #answer(actor: Actor, { effect }: StepNode, instruction: Instruction): number {
    switch (effect) {
      case ARRIVE:
        this.#machine.arrive(this.#words, instruction);
        return 0;
      case LAUNCH:
        this.#machine.launch(this.#words, instruction);
        return 0;
      case TOUCH:
        this.#machine.touch(this.#words, instruction);
        return 0;
      case MACHINE:
        return this.#machine.issue(this.#words, instruction);
      case DECIDED:
        return this.#answers.decide(actor, instruction.kind as DecidedKind, instruction);
      case SPAWN:
        this.#machine.fault = NO_FAULT;
        this.#spawn(instruction.target, actor.at);
        return 0;
      case NEVER:
        return neverPerformed(instruction.kind as SilentKind);
    }
  }

  #issueFlights(role: number, instruction: Instruction): void {
    const { flights } = this.#machine.flights;
    const { now } = this.#queue;
    const { completion } = this.units;
    for (let i = 0; i < instruction.flights.length; i++) {
      const id = instruction.flights[i]!;
      const flight = flights[id]!;
      if (flight.kind === GROUP) continue;
      this.units.issue(now, role, id, flight, instruction);
      this.#watch?.flightIssued(flight, now, completion[0]!);
      this.#queue.due = completion[0]!;
      this.#queue.push(this.#roles + id);
    }
  }

  #completeFlight(id: number): void {
    this.events++;
    const machine = this.#machine;
    const words = this.#words;
    const open = machine.openFlights;
    machine.hasCompleted = false;
    const flight = machine.flights.flights[id]!;
    const index = open.completable(words, id);
    if (this.#watch !== null) this.#watch.completing(flight, index);
    machine.completeFlight(words, index);
    if (this.#reaches !== null && machine.hasCompleted && flight.barrier >= 0) {
      this.#reaches.completed(flight.barrier, this.#queue.now);
    }
    if (machine.fault !== NO_FAULT) throw ruleBrokenByFlight(this.program.roles[flight.role]!);
    if (this.#watch !== null) this.#watch.flightCompleted(flight, this.#queue.now);
    if (this.#parked > 0) this.#wake();
  }

  #park(actor: Actor, node: StepNode): void {
    if (actor.state === PARKED) return;
    actor.state = PARKED;
    this.#parked++;
    actor.waitBarrier = this.#barrierOf(node);
  }

  /** The barrier that a wait tests; −1 for any other operation. */
  #barrierOf({ waitRegister, instruction }: StepNode): number {
    const words = this.#words;
    if (waitRegister !== null) return waitRegister.barrier(words);
    return this.#waits.testedBarrier(words, instruction!);
  }

  /** Reschedules parked roles whose wait has ended, at their next poll. */
  #wake(): void {
    const actors = this.#actors;
    const { hasCompleted, completedAt } = this.#machine;
    for (let role = 0; role < actors.length; role++) {
      const actor = actors[role]!;
      if (actor.state !== PARKED) continue;
      const { waitBarrier } = actor;
      if (completedAt >= 0 && waitBarrier >= 0 && waitBarrier !== completedAt) continue;
      const node = actor.node!;
      if (!hasCompleted && isWait(node.kind)) continue;
      if (this.#isEnabled(actor, node)) this.#wakeUp(actor, node);
    }
  }

  #wakeUp(actor: Actor, node: StepNode): void {
    actor.state = WOKEN;
    this.#parked--;
    actor.at = this.#queue.now;
    if (this.#reaches !== null && actor.waitBarrier >= 0) {
      actor.at = Math.max(actor.at, this.#reaches.visibleAt[actor.waitBarrier]!);
    }
    const { kind } = node;
    // No unit of any other wait: an index of −1 would be slow.
    const drainCycles = kind === WAIT_GROUP ? this.#drainCycles(node) : 0;
    this.#roleTimes.awake(actor, node, drainCycles);
    this.#enqueue(actor);
  }

  #drainCycles({ instruction }: StepNode): number {
    return this.units.drainCycles(instruction!.unit);
  }
}
