// One warp: executes a program until it ends or has to wait.
import { registersIn } from '../flow/liveness.ts';
import { regionOf } from '../flow/quiet-region.ts';
import type { Region } from '../flow/quiet-region.ts';
import type { Barrier } from '../machine/barriers.ts';
import type { Machine } from '../machine/machine.ts';
import type { Cta } from '../machine/cta.ts';
import type { Step } from '../steps/step.ts';
import type { Instruction } from '../text/module.ts';
import { LANES, RegisterFile, UndoLog } from '../values/register-file.ts';
import { mix, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import { isIncomplete } from './fibers.ts';
import type { Fiber } from './fibers.ts';
import { Joins, needsAllLanes } from './joins.ts';
import { Guard, isDecisive, mayPart } from './guard.ts';
import { LocalMemory } from './local-memory.ts';
import { Ghosts } from './ghosts.ts';
import { isForLast } from './last-thread.ts';
import type { Addition } from './last-thread.ts';
import { PartedLanes } from './parted-lanes.ts';
import { isPolling } from './polling.ts';
import { Peek } from './peek.ts';
import type { LookAhead, Try, WarpState } from './peek.ts';
import { ActionKind, LOOK_AHEAD, Status } from './program.ts';
import type { Action, Program } from './program.ts';
import { SimtStack } from './stack.ts';
import { anyRounds, eitherWay, lastThread } from './unknown-branch.ts';

/** How a warp stopped. */
export type Stop = 'ended' | 'blocked' | 'budget';

/** Cycles between two reads of a clock. */
const CLOCK_STEP = 64;
const APART = 'a try that is not repeated, by lanes that run apart from others of their warp';
const NO_TRAP = 'a trap that depends on data is not reached';
const out: Wide = { low: 0, high: 0 };

/** A warp and all of its state. */
export class Warp {
  readonly program: Program;
  readonly machine: Machine;
  readonly cta: Cta;
  /** Its number in the CTA. */
  readonly index: number;
  /** A mask of the lanes that exist. */
  readonly lanes: number;
  registers: RegisterFile;
  local: LocalMemory;
  readonly steps: Step[] = [];
  stack: SimtStack;
  /** Instructions executed. */
  executed = 0;
  lookAhead: LookAhead | null = null;
  /** The last completed phase of each mbarrier that the warp has waited for. */
  readonly waited = new Map<Barrier, number>();
  #peek: Peek | null = null;
  #isShadow = false;
  /** Whether an unknown predicate guards the instruction that is executed. */
  isUncertain = false;
  /** Whether the instructions of the last thread are executed, which come after all of others. */
  isLast = false;
  /** The step that a blocked warp would take. */
  blockedOn: Step | null = null;
  /** State of an instruction that was blocked, for its next attempt. */
  pending: unknown = undefined;
  /** Lanes that have waited for the kernel before. */
  followed = 0;
  /** Rounds of `barrier.cluster` that the warp has arrived at. */
  clusterRounds = 0;
  clock = 0;
  readonly undo: UndoLog;
  readonly #regions = new Map<number, Region>();

  constructor(program: Program, machine: Machine, cta: Cta, index: number, threads: number) {
    [this.program, this.machine, this.cta] = [program, machine, cta];
    this.index = index;
    this.lanes = threads >= LANES ? -1 : 2 ** threads - 1;
    this.registers = new RegisterFile(program.registers);
    this.local = new LocalMemory();
    this.stack = new SimtStack(this.lanes);
    this.undo = new UndoLog(this.registers);
    machine.initialize(this);
  }

  /** Its number in the cluster, from 1. */
  get number(): number {
    return 1 + this.index + this.cta.rank * Math.ceil(this.machine.threads / LANES);
  }

  /** The instruction that is executed. */
  get instruction(): Instruction {
    return this.program.code.instructions[this.stack.counter]!;
  }

  readonly joins = new Joins();

  /** Adds a step of some lanes, all threads unless specified; a look ahead adds none. */
  record(step: Step, lanes = this.lanes): void {
    if (this.lookAhead !== null) return;
    this.machine.record(this, this.joins.stepOf(step, lanes, this));
  }

  /** Lanes join: a step where one of them did something since. What may not happen joins none. */
  join(mask: number): void {
    if (this.lookAhead !== null || this.#isShadow || this.isUncertain) return;
    const { steps } = this;
    if (!this.joins.isNeeded(mask, steps.length)) return;
    const isOfAll = this.joins.join(mask, this.live, steps.length + 1);
    const step = { op: 'join', at: this.stack.counter } as const;
    this.machine.record(this, isOfAll ? step : { ...step, lanes: mask });
  }

  /** A clock that advances with each read. */
  readClock(): number {
    this.clock += CLOCK_STEP;
    return this.clock;
  }

  /** Lanes that wait in an exchange for lanes which went another way; `null`: none do. */
  parted: PartedLanes | null = null;

  /** Lanes that run apart from those that have their turn. */
  readonly fibers: Fiber[] = [];
  /** Whether an exchange was not executed, because lanes that take part run apart. */
  isHeld = false;
  /** The lanes that the instruction which blocks the warp is executed by. */
  waiting = 0;

  /** The lanes that have not ended. */
  get live(): number {
    let live = this.stack.live | (this.parted === null ? 0 : this.parted.mask);
    for (const { stack } of this.fibers) live |= stack.live;
    return live;
  }

  /** Whether nothing rests on the lanes being executed as they are. */
  get isDivisible(): boolean {
    const isPlain = this.lookAhead === null && !this.#isShadow && this.#peek === null;
    return isPlain && this.parted === null && !this.isUncertain && !this.isLast;
  }

  /** Lets the lanes that execute an exchange wait, and the others go on without them. */
  part(mask: number, missing: number): void {
    const { stack } = this;
    if (this.fibers.length > 0 && this.lookAhead === null && !this.#isShadow) {
      this.isHeld = true;
      return;
    }
    if (!this.isDivisible)
      this.machine.undecided(
        stack.counter,
        'its mask names lanes that have parted from the lanes that execute it',
      );
    this.parted = new PartedLanes(stack.only(mask), mask, missing, stack.counter);
    this.stack = stack.only(~mask);
  }

  /** Executes up to `budget` instructions. */
  run(budget: number): Stop {
    const { kinds, guards, actions, collective, ofWarp } = this.program;
    const reached = this.machine.reached;
    const follow = this.lookAhead === null ? this.machine.follow : null;
    const end = kinds.length;
    for (let left = budget; left > 0; left--) {
      const { stack } = this;
      stack.settle();
      if (stack.depth === 0) {
        if (this.parted === null || this.#isShadow) return this.#ended();
        // Lanes that have ended are waited for no more.
        this.stack = this.parted.waiting;
        this.parted = null;
        continue;
      }
      const at = stack.counter;
      if (at >= end) {
        stack.leave(stack.mask);
        continue;
      }
      this.executed++;
      if (this.lookAhead === null) reached[at] = 1;
      if (ofWarp[at] === 1 && isIncomplete(this)) return 'blocked';
      if (this.parted !== null && needsAllLanes(this.instruction))
        this.machine.undecided(at, 'it needs all lanes of the warp, and some wait elsewhere');
      const kind = kinds[at];
      let mask = stack.mask;
      if (guards[at]! >= 0 && kind !== ActionKind.branch) {
        this.#guard.split(this, at, mask);
        if (this.#guard.unknown !== 0 && !this.#isDecided(at, isDecisive(actions[at]!))) {
          follow?.(this, at, this.#guard.executing | this.#guard.unknown);
          if (this.#uncertain(at, actions[at]!, this.#guard.executing) !== Status.done)
            return 'blocked';
          continue;
        }
        mask = this.#guard.executing;
        if (mask === 0) {
          stack.counter = at + 1;
          continue;
        }
      }
      const action = actions[at]!;
      follow?.(this, at, mask);
      switch (action.kind) {
        case 'silent':
          action.run(this, mask);
          if (collective[at] === 1) this.join(mask);
          if (this.isHeld) {
            this.isHeld = false;
            this.waiting = mask;
            return 'blocked';
          }
          stack.counter = at + 1;
          break;
        case 'visible': {
          if (this.isLast && !action.isAccess && !isForLast(this.instruction))
            return this.#undecidedBranch(this.stack.counter);
          if (this.#isShadow || (this.lookAhead !== null && !action.mayLookAhead)) return 'blocked';
          if (!action.mayPoll) this.joinGhosts();
          const status =
            this.#peek === null ? action.run(this, mask) : this.#besideShadow(at, action, mask);
          this.waiting = mask;
          if (status !== Status.done) return 'blocked';
          this.pending = undefined;
          this.blockedOn = null;
          stack.counter = at + 1;
          if (this.#opened !== null) {
            if (this.#peek !== null) this.#peekDecides(this.#peek);
            this.#peek = this.#opened;
            this.#opened = null;
          }
          break;
        }
        case 'branch':
          if (!this.#branch(at, mask)) return 'blocked';
          break;
        case 'table':
          if (!this.#table(at, action.index, mask)) return 'blocked';
          break;
        case 'return':
          if (this.isLast) return this.#undecidedBranch(at);
          stack.counter = at + 1;
          stack.leave(mask);
          break;
        case 'trap':
          if (this.lookAhead !== null || this.#isShadow) return 'blocked';
          if (!this.isUncertain) this.machine.trap(this, at);
          stack.leave(mask);
          break;
      }
    }
    return 'budget';
  }

  /** Whether an instruction of the whole warp is executed by some of its lanes alone. */
  isForced = false;

  readonly #guard = new Guard();

  /** Whether one question decides the lanes in which a predicate is unknown, and is answered. */
  #isDecided(at: number, mayAsk: boolean): boolean {
    const isOdd = this.lookAhead !== null || this.#isShadow || this.isLast || this.isUncertain;
    return this.#guard.isDecided(this, at, mayAsk && !isOdd);
  }

  /** Executes an instruction whose predicate is unknown in some lanes. */
  #uncertain(at: number, action: Action, certain: number): Status {
    const unknown = this.#guard.unknown;
    if (action.kind !== 'silent') this.joinGhosts();
    if (action.kind === 'silent') {
      if (certain !== 0) action.run(this, certain);
      this.forget(this.program.destinations[at]!, unknown, at);
    } else if (action.kind === 'visible') {
      if (this.lookAhead !== null || this.#isShadow) return Status.observed;
      if (!action.isAccess) return this.machine.undecided(at, 'its predicate is unknown data');
      const isWithin = this.isUncertain;
      this.isUncertain = true;
      const lanes = certain | unknown;
      const status =
        this.#peek === null ? action.run(this, lanes) : this.#besideShadow(at, action, lanes);
      this.isUncertain = isWithin;
      if (status !== Status.done) return status;
      this.pending = undefined;
      this.forget(this.program.destinations[at]!, unknown, at);
    } else if (this.#isShadow) return Status.observed;
    else if (action.kind === 'trap' && certain === 0) this.machine.assume(at, NO_TRAP);
    else this.machine.undecided(at, 'its predicate is unknown data');
    this.stack.counter = at + 1;
    return Status.done;
  }

  /** Makes registers unknown in some lanes. */
  forget(registers: readonly number[], mask: number, seed: number): void {
    for (const register of registers) {
      start(out, seed);
      mix(out, register, this.machine.fresh(), 0);
      this.registers.setUniform(register, out, false, mask, this.lanes);
    }
  }

  #branch(at: number, mask: number): boolean {
    const { stack, program } = this;
    const target = program.code.instructions[at]!.targets[0]!;
    if (program.guards[at]! < 0) {
      stack.counter = target;
      return true;
    }
    this.#guard.split(this, at, mask);
    if (this.#guard.unknown !== 0 && !this.#isDecided(at, false))
      return this.#unknownBranch(at, mask);
    this.#goWays(at, mask);
    return true;
  }

  /** Follows a branch with the lanes that are known to take it, and the others. */
  #goWays(at: number, mask: number): void {
    const { stack, program } = this;
    const target = program.code.instructions[at]!.targets[0]!;
    const taken = this.#guard.executing;
    if (taken === mask) stack.counter = target;
    else if (taken === 0) stack.counter = at + 1;
    else {
      const meeting = program.meetingPoints[at]!;
      stack.counter = meeting;
      stack.push(target, taken, meeting);
      stack.push(at + 1, mask & ~taken, meeting);
    }
  }

  /** Follows a branch on unknown data as its question is answered; whether there is an answer. */
  #goDecided(at: number, mask: number): boolean {
    if (this.program.guards[at]! < 0 || !this.#isDecided(at, true)) return false;
    this.#goWays(at, mask);
    return true;
  }

  #table(at: number, index: number, mask: number): boolean {
    const { stack, program, registers } = this;
    const { targets } = program.code.instructions[at]!;
    const groups = new Map<number, number>();
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const target = registers.read(index, lane, out) ? targets[out.low] : undefined;
      if (target === undefined) return this.#unknownBranch(at, mask);
      groups.set(target, (groups.get(target) ?? 0) | (1 << lane));
    }
    const meeting = program.meetingPoints[at]!;
    stack.counter = meeting;
    for (const [target, lanes] of groups) stack.push(target, lanes, meeting);
    return true;
  }

  /** A branch on unknown data: skipped if no other warp can observe what lies on its ways. */
  #unknownBranch(at: number, mask: number): boolean {
    if (this.lookAhead !== null || this.#isShadow) return false;
    this.joinGhosts();
    const branch = this.program.code.instructions[at]!;
    let region = this.#regions.get(at);
    if (region === undefined) this.#regions.set(at, (region = regionOf(this.program, branch)));
    if (region.trap !== null) this.machine.assume(region.trap.index, NO_TRAP);
    if (region.spin !== null) return this.machine.spins(region.spin.index);
    if (region.exchange !== null && mayPart(this, at, mask)) {
      if (this.#goDecided(at, mask)) return true;
      return this.machine.undecided(
        region.exchange.index,
        'lanes that unknown data has parted cannot take part in it',
      );
    }
    if (region.obstacle === null) {
      this.machine.observer?.passesOver(this, at, mask);
      this.forget(region.writes, mask, at);
      this.local.forget();
      this.stack.counter = region.meeting;
      return true;
    }
    if (region.isAccessOnly) {
      if (region.isLoop) anyRounds(this, branch, mask, region);
      else eitherWay(this, branch, mask, region);
      return true;
    }
    if (this.#peek === null && lastThread(this, this.#addition, branch, mask, region)) return true;
    if (this.#goDecided(at, mask)) return true;
    return this.#undecidedBranch(at, region.obstacle);
  }

  #undecidedBranch(at: number, { opcode, line }: Instruction = this.instruction): never {
    return this.machine.undecided(
      at,
      `it branches on unknown data around ${opcode} at PTX line ${line}`,
    );
  }

  /** The last addition of one lane to a word of shared memory. */
  #addition: Addition | null = null;

  noteAddition(mask: number, count: number, register: number): void {
    const { steps } = this;
    this.#addition = { at: this.stack.counter, mask, count, register, steps: steps.length };
  }

  /** A try that is not repeated is answered no, while a shadow of the warp goes on with yes. */
  peek(attempt: Try, result: number, mask: number): void {
    if (this.fibers.length > 0) return this.machine.undecided(attempt.at, APART);
    const stack = this.stack.copy();
    stack.counter = attempt.at + 1;
    const registers = this.#spareFile(stack);
    const shadow = { registers, local: this.local.copy(), stack, clock: this.clock };
    out.low = 1;
    out.high = 0;
    registers.copyFrom(result, this.registers);
    registers.setUniform(result, out, true, mask, this.lanes);
    this.#opened = new Peek(attempt, shadow, this.waited.get(attempt.state) ?? -1);
  }

  /** The live registers, in one of two files: a try may open before the last one closes. */
  #spareFile(stack: SimtStack): RegisterFile {
    this.#files.reverse();
    const file = (this.#files[0] ??= this.registers.copy());
    // Constants and special registers never change.
    for (const counter of stack.counters())
      for (const register of registersIn(this.program.liveBefore(counter)))
        file.copyFrom(register, this.registers);
    return file;
  }

  readonly #files: [RegisterFile | null, RegisterFile | null] = [null, null];

  /** The peek that the instruction in execution opens. */
  #opened: Peek | null = null;

  /** Executes a shadow up to the next instruction that others can observe. */
  runShadow(state: WarpState): void {
    const { registers, local, stack, clock, executed } = this;
    this.registers = state.registers;
    this.local = state.local;
    this.stack = state.stack;
    this.clock = state.clock;
    this.#isShadow = true;
    this.run(LOOK_AHEAD);
    this.#isShadow = false;
    state.clock = this.clock;
    this.registers = registers;
    this.local = local;
    this.stack = stack;
    this.clock = clock;
    this.executed = executed;
  }

  /** Executes an instruction that others can observe while the answer of a try is open. */
  #besideShadow(at: number, action: Extract<Action, { kind: 'visible' }>, mask: number): Status {
    if (this.lookAhead !== null) return action.run(this, mask);
    if (this.#peek?.isForgotten(this, at) === true) this.#peek = null;
    const peek = this.#peek;
    const status = action.run(this, mask);
    if (status !== Status.done || peek === null) return status;
    const outcome = peek.after(this, at);
    if (outcome === 'decisive') this.#peekDecides(peek);
    if (outcome === 'forgotten') this.#peek = null;
    return status;
  }

  #ended(): Stop {
    this.joinGhosts();
    if (this.#isShadow || this.lookAhead !== null || this.#peek === null) return 'ended';
    const peek = this.#peek;
    this.#peek = null;
    if (!peek.hasEnded(this)) this.#peekDecides(peek);
    return 'ended';
  }

  /** The warp with other values of what the order of the blocks decides. */
  readonly ghosts = new Ghosts();

  /** Whether ghosts can be followed from here. */
  get mayHaunt(): boolean {
    const { isUncertain, isLast, parted } = this;
    return this.#peek === null && !isUncertain && !isLast && parted === null;
  }

  /** Brings the ghosts to the instruction in execution: what they differ in is unknown. */
  joinGhosts(): void {
    if (!this.#isShadow && this.lookAhead === null) this.ghosts.merge(this);
  }

  #peekDecides(peek: Peek): never {
    return this.machine.undecided(
      peek.try.at,
      'the answer of a try that is not repeated decides what the warp does',
    );
  }

  /**
   * Whether the warp comes back to the same try with nothing that others can observe in between
   * when its answer is no. The try's result is in `result`.
   */
  isPolling(barrier: number, parity: number, result: number, mask: number): boolean {
    return isPolling(this, { barrier, parity }, result, mask);
  }
}
