// The transition system of a program on a machine: enabled moves, their effects, their symptoms.
import { BoundError, InputError, invariant } from '../base/index.ts';
import {
  Alias,
  aliasOf,
  BLOCKED,
  Fault,
  IN_ORDER,
  IS_WORK,
  type Instruction,
  type Machine,
} from '../machine/index.ts';
import { CATALOGUE, isStageTest, isTest, OpKind } from '../op/index.ts';
import { neverPerformed, RoleDriver } from '../program/index.ts';
import { Stand, standAt } from '../program/index.ts';
import type { Program, RoleHost, StepId, Steps } from '../program/index.ts';
import { Accesses } from './accesses.ts';
import { endlessError } from './endless.ts';
import { layOutSystem, newState, NOT_STARTED, writeInitial, type SystemLayout } from './layout.ts';
import { MISSTEP, Registers } from './registers.ts';
import { FAULT_RULES, type Symptom } from './symptom.ts';
import { WaitConditions } from './wait-conditions.ts';

/** A move: the agent in the upper 16 bits, which of its options in the lower 16. */
export type Move = number;
/** The most moves that one state can have (bound `moves`): with more, nothing is decided. */
export const MAX_MOVES = 1 << 16;
export const moveOf = (agent: number, option: number): Move => (agent << 16) | option;
export const agentOf = (move: Move): number => move >>> 16;
export const optionOf = (move: Move): number => move & 0xffff;

/**
 * A program joined with its machine. It holds no state: every method works on a state that the
 * caller owns, except {@link symptoms}, which lists what the last call noticed.
 */
export class System implements RoleHost {
  readonly program: Program;
  readonly steps: Steps;
  readonly machine: Machine;
  readonly layout: SystemLayout;
  readonly registers: Registers;
  readonly waits: WaitConditions;
  readonly roles: number;
  /** What was wrong in the last move or the state it led to; empty when nothing was. */
  readonly symptoms: Symptom[] = [];
  readonly #accesses: Accesses;
  readonly #driver: RoleDriver;
  /**
   * By move of {@link moves}: the list position of the flight that it completes, −1 for a role's.
   * Systems that share a machine share it, so it holds until the next call on one of them.
   */
  readonly completions: Int32Array;
  /** By step: its operation, so that no state costs a look into the steps. */
  readonly #instructions: (Instruction | null)[] = [];
  /** By step: what to inspect about its operation, as bits of {@link Trait}. */
  readonly #traits: number[] = [];
  /** By step: what a role that comes to it has come to. */
  readonly #stands: Stand[] = [];

  /** With `original`, the system shares its machine and what it knows of the registers. */
  constructor(
    program: Program,
    makeSteps: (program: Program, machine: Machine) => Steps,
    original: System | null = null,
  ) {
    this.program = program;
    const { layout, machine } = original ?? layOutSystem(program);
    this.layout = layout;
    this.machine = machine;
    this.completions = original?.completions ?? new Int32Array(MAX_MOVES);
    this.steps = makeSteps(program, machine);
    this.roles = program.roles.length;
    this.registers = original?.registers ?? new Registers(program, layout, machine);
    this.waits = new WaitConditions(machine, this.registers);
    this.#accesses = new Accesses(this);
    this.#driver = new RoleDriver(this, program, machine);
  }

  /**
   * The state before the first move: every role is at its first visible operation. `lastFirst`
   * concerns roles that are more than their steps: the last one starts first.
   */
  initial(lastFirst = false): Int32Array {
    const words = newState(this.machine);
    this.symptoms.length = 0;
    writeInitial(this.machine.shape, this.machine.layout, words);
    words.fill(NOT_STARTED, 0, this.roles);
    this.#driver.startAll(words, lastFirst);
    if (this.symptoms.length === 0) this.inspect(words);
    return words;
  }

  /** Lists the possible moves into `out` and returns how many there are. */
  moves(words: Int32Array, out: Int32Array): number {
    let count = 0;
    for (let role = 0; role < this.roles; role++) {
      const isFree = (this.#traitsOf(words[role]!) & Trait.isFree) !== 0;
      const options = isFree ? 1 : this.options(words, role);
      if (count + options > MAX_MOVES) refuseMoves();
      for (let option = 0; option < options; option++) {
        this.completions[count] = -1;
        out[count++] = moveOf(role, option);
      }
    }
    if (this.machine.openFlights.count(words) === 0) return count;
    return this.#completionMoves(words, out, count);
  }

  #completionMoves(words: Int32Array, out: Int32Array, first: number): number {
    const { completions } = this;
    const open = this.machine.openFlights;
    const end = open.listCompletable(words, completions, first);
    if (end > MAX_MOVES) refuseMoves();
    for (let move = first; move < end; move++) {
      const agent = this.roles + open.flightAt(words, completions[move]!).unit;
      let option = 0;
      // Flights of a queue are side by side: mostly the move before says how many there are.
      for (let i = move - 1; i >= first; i--) {
        if (agentOf(out[i]!) !== agent) continue;
        option = optionOf(out[i]!) + 1;
        break;
      }
      out[move] = moveOf(agent, option);
    }
    return end;
  }

  /** The operation of a step, `null` for the end of a role and for a misuse. */
  instruction(step: StepId): Instruction | null {
    const known = this.#instructions;
    if (step >= known.length) this.#learnSteps(step);
    return known[step]!;
  }

  #learnSteps(step: StepId): void {
    for (let next = this.#instructions.length; next <= step; next++) {
      const instruction = this.steps.instruction(next);
      this.#instructions.push(instruction);
      this.#traits.push(instruction === null ? Trait.none : traitsOf(instruction));
      this.#stands.push(
        instruction === null ? this.#standWithout(next) : standAt(instruction.kind),
      );
    }
  }

  #standWithout(step: StepId): Stand {
    return this.steps.misuse(step) === null ? Stand.end : Stand.misuse;
  }

  #standOf(step: StepId): Stand {
    if (step >= this.#stands.length) this.#learnSteps(step);
    return this.#stands[step]!;
  }

  #traitsOf(step: StepId): number {
    if (step < 0) return Trait.none;
    if (step >= this.#traits.length) this.#learnSteps(step);
    return this.#traits[step]!;
  }

  /** How many ways a role can move: 0 when it is blocked or has ended. */
  options(words: Int32Array, role: number): number {
    const step = words[role]!;
    if (step < 0) return 0;
    const instruction = this.instruction(step);
    if (instruction === null) return 0;
    switch (instruction.kind) {
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim: {
        const failable = this.steps.isRetry(step) ? 0 : 1;
        return this.waits.passes(words, instruction) ? 1 + failable : failable;
      }
      case OpKind.choose:
        return instruction.choices;
      case OpKind.join:
        return this.#driver.mayJoin(words, instruction.target) ? 1 : 0;
      // The conditions of waits and the machine know every other kind.
      default:
        return this.waits.passes(words, instruction) ? 1 : 0;
    }
  }

  /** Whether a role has run its last operation. */
  hasEnded(words: Int32Array, role: number): boolean {
    const step = words[role]!;
    return step >= 0 && this.#standOf(step) === Stand.end;
  }

  hasStarted(words: Int32Array, role: number): boolean {
    return words[role] !== NOT_STARTED;
  }

  enter(words: Int32Array, role: number): Stand {
    words[role] = this.steps.entry(role);
    this.machine.journal.note(role);
    return this.#standOf(words[role]);
  }

  #follow(words: Int32Array, role: number, answer: number): Stand {
    const step = this.steps.follow(words[role]!, answer);
    words[role] = step;
    return this.#standOf(step);
  }

  pass(words: Int32Array, role: number): Stand {
    const step = words[role]!;
    const instruction = this.instruction(step)!;
    const answer = this.registers.pass(words, instruction);
    if (answer !== MISSTEP) return this.#follow(words, role, answer);
    this.#notice('release-order', role, -1, instruction.target, step, false);
    return Stand.broken;
  }

  misused(words: Int32Array, role: number): void {
    const step = words[role]!;
    const { rule, ring } = this.steps.misuse(step)!;
    this.#notice(rule, role, -1, ring, step, false);
  }

  ended(words: Int32Array, role: number): void {
    this.#noticeFault(role, words[role]!);
  }

  endless(words: Int32Array, role: number): never {
    throw endlessError(this, words, role);
  }

  /** Whether every role has ended and every flight has completed. */
  isFinal(words: Int32Array): boolean {
    if (this.machine.openFlights.count(words) !== 0) return false;
    for (let role = 0; role < this.roles; role++) if (!this.hasEnded(words, role)) return false;
    return true;
  }

  /**
   * Makes a move that {@link moves} listed; `symptoms` says what is wrong afterwards. Who knows the
   * list position of the flight that it completes can give it as `landing`.
   */
  apply(words: Int32Array, move: Move, completion = -1): void {
    this.program.alarm.tick();
    if (this.symptoms.length > 0) this.symptoms.length = 0;
    const agent = agentOf(move);
    this.machine.hasCompleted = false;
    this.machine.journal.clear();
    this.#accesses.mayConflict = false;
    if (agent >= this.roles) {
      this.#complete(words, agent, completion < 0 ? this.#completion(words, move) : completion);
    } else this.#step(words, agent, optionOf(move));
    if (this.symptoms.length > 0) return;
    // Only what the move changed can be wrong now: the state before it was inspected, too.
    if (this.machine.hasCompleted) this.#inspectWaits(words, this.machine.completedAt, agent);
    else if (agent < this.roles) this.#inspectWait(words, agent);
    if (this.#accesses.mayConflict) this.#inspectRaces(words);
  }

  /** Looks for races and for waits that parity misleads in a state. */
  inspect(words: Int32Array): void {
    this.#inspectWaits(words, -1, -1);
    this.#inspectRaces(words);
  }

  /** Inspects the waits for one barrier and that of the role that moved; every wait for −1. */
  #inspectWaits(words: Int32Array, only: number, moved: number): void {
    for (let role = 0; role < this.roles; role++) {
      if ((this.#traitsOf(words[role]!) & Trait.tests) === 0) continue;
      if (only < 0 || role === moved || this.#testedBarrier(words, role) === only) {
        this.#inspectWait(words, role);
      }
    }
  }

  /** The barrier that the wait or try tests at which a role stands. */
  #testedBarrier(words: Int32Array, role: number): number {
    const instruction = this.instruction(words[role]!)!;
    return this.waits.testedBarrier(words, instruction);
  }

  /** M10: whether parity shows a role another phase than the one it wants. */
  #inspectWait(words: Int32Array, role: number): void {
    const step = words[role]!;
    if ((this.#traitsOf(step) & Trait.tests) === 0) return;
    const instruction = this.instruction(step)!;
    const barrier = this.wantedBarrier(words, instruction);
    const isSkipped = instruction.isAssumed;
    if (!isSkipped) this.#inspectLife(words, role, instruction);
    if (barrier < 0) return;
    const phase = this.wantedPhase(words, instruction);
    if (this.registers.forkOf(words, instruction) >= 0) {
      this.#notice('forked-pipeline', role, -1, barrier, step, false);
    }
    if (isSkipped) {
      // R08: nothing is tested any more, so the phase must be over.
      if (this.machine.completed(words, barrier) > phase) return;
      return this.#notice('stale-try-token', role, -1, barrier, step, false);
    }
    if (this.machine.isCounter(barrier)) return;
    const alias = aliasOf(this.machine.completed(words, barrier), phase);
    if (alias !== Alias.none) this.#notice(ALIAS_RULES[alias], role, -1, barrier, step, false);
  }

  /** M02: a role that stands at a wait may try it at any time. */
  #inspectLife(words: Int32Array, role: number, instruction: Instruction): void {
    const barrier = this.waits.testedBarrier(words, instruction);
    const fault = barrier < 0 ? Fault.none : this.machine.lifeFault(words, barrier);
    if (fault !== Fault.none) {
      this.#notice(FAULT_RULES[fault], role, -1, barrier, words[role]!, false);
    }
  }

  #inspectRaces(words: Int32Array): void {
    const race = this.#accesses.conflict(words);
    if (race !== null) {
      const step = race.agent < this.roles ? words[race.agent]! : -1;
      this.#notice('race', race.agent, race.other, race.buffer, step, false);
    }
  }

  /** The barrier that a wait or try for a phase tests, −1 for every other instruction. */
  wantedBarrier(words: Int32Array, instruction: Instruction): number {
    return this.waits.wantedBarrier(words, instruction);
  }

  /** The absolute phase that such a wait wants. */
  wantedPhase(words: Int32Array, instruction: Instruction): number {
    return this.waits.wantedPhase(words, instruction);
  }

  /** The stage that an acquire will answer, −1 for every other instruction. */
  stageOf(words: Int32Array, instruction: Instruction): number {
    const { kind } = instruction;
    const isAcquire = isStageTest(kind) && kind !== OpKind.tryWaitStage;
    return isAcquire ? this.registers.stage(words, instruction) : -1;
  }

  /** The list position of the flight that a move completes. */
  #completion(words: Int32Array, move: Move): number {
    const unit = agentOf(move) - this.roles;
    const index = this.machine.openFlights.completableOf(words, unit, optionOf(move));
    if (index >= 0) return index;
    throw new InputError('the schedule completes an operation that is not in flight');
  }

  #complete(words: Int32Array, agent: number, index: number): void {
    const { flights, openFlights } = this.machine;
    const id = openFlights.idAt(words, index);
    this.machine.completeFlight(words, index);
    // The next flight of an in-order unit can complete now, and is next.
    if ((flights.traits[id]! & IN_ORDER_WORK) === IN_ORDER_WORK) this.#accesses.mayConflict = true;
    this.#noticeFault(agent, -1);
  }

  #step(words: Int32Array, role: number, option: number): void {
    const step = words[role]!;
    const instruction = step < 0 ? null : this.instruction(step);
    invariant(instruction !== null, 'only a role with an operation can make a step');
    const answer = this.#perform(words, instruction, option);
    this.#noticeFault(role, step);
    if (answer === BLOCKED || this.symptoms.length > 0) return;
    let traits = this.#traitsOf(step) & Trait.starts;
    this.machine.journal.note(role);
    const stand = this.#follow(words, role, answer);
    if (stand !== Stand.visible) this.#driver.settle(words, role, stand);
    traits |= this.#traitsOf(words[role]!) & Trait.touches;
    if (traits !== 0) this.#accesses.mayConflict = true;
  }

  /** Performs a visible operation and returns its answer. */
  #perform(words: Int32Array, instruction: Instruction, option: number): number {
    this.machine.fault = Fault.none;
    const { kind } = instruction;
    switch (kind) {
      case OpKind.waitStage: {
        const stage = this.registers.stage(words, instruction);
        // R08: a wait that is skipped touches nothing.
        if (instruction.isAssumed) return stage;
        const barrier = this.registers.wantedBarrier(words, instruction);
        this.machine.reach(words, barrier, instruction.cta);
        return stage;
      }
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return option === 0 && this.waits.passes(words, instruction) ? 1 : 0;
      case OpKind.tryClaim:
        if (option !== 0 || !this.waits.passes(words, instruction)) return -1;
        return this.registers.claim(words, instruction);
      case OpKind.choose:
        return option;
      case OpKind.spawn:
        if (!this.#driver.start(words, instruction.target)) return 0;
        this.machine.hasCompleted = true;
        this.machine.completedAt = -1;
        this.#accesses.mayConflict = true;
        return 0;
      case OpKind.join:
        return 0;
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
      case OpKind.arriveCluster:
      case OpKind.waitCluster:
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
      case OpKind.launchDependents:
      case OpKind.waitGrids:
        return this.machine.issue(words, instruction);
      default:
        return neverPerformed(kind);
    }
  }

  #noticeFault(agent: number, step: StepId): void {
    const { fault, faultAt } = this.machine;
    if (fault === Fault.none) return;
    const onBuffer = fault === Fault.missingDrainOfBuffer;
    this.#notice(FAULT_RULES[fault], agent, -1, faultAt, step, true, onBuffer);
    this.machine.fault = Fault.none;
  }

  #notice(
    rule: Symptom['rule'],
    agent: number,
    other: number,
    at: number,
    step: StepId,
    inMove: boolean,
    onBuffer = false,
  ): void {
    this.symptoms.push({ rule, agent, other, at, step, inMove, onBuffer });
  }
}

const ALIAS_RULES = {
  [Alias.none]: 'deadlock',
  [Alias.falsePass]: 'false-pass',
  [Alias.falseBlock]: 'false-block',
  [Alias.latePass]: 'late-pass',
} as const;

/** Work that holds up what is behind it. */
const IN_ORDER_WORK = IN_ORDER | IS_WORK;

/** What an operation makes an engine look at. */
const Trait = {
  none: 0,
  /** It tests a barrier: its role may stand at it while phases complete. */
  tests: 1,
  /** It starts flights. */
  starts: 2,
  touches: 4,
  /** It is always possible, in one way. */
  isFree: 8,
} as const;

function traitsOf({ kind, flights, reads, writes }: Instruction): number {
  return (
    (isTest(kind) ? Trait.tests : Trait.none) |
    (flights.length > 0 ? Trait.starts : Trait.none) |
    (reads.length + writes.length > 0 ? Trait.touches : Trait.none) |
    (CATALOGUE[kind]!.class === 'posted' ? Trait.isFree : Trait.none)
  );
}

function refuseMoves(): never {
  throw new BoundError('moves', MAX_MOVES, 'too many moves are possible in one state');
}
