// One warp: executes a program until it ends or has to wait.
import { trapText } from '../machine/exits.ts';
import { initialize } from '../machine/initialize.ts';
import type { Machine } from '../machine/machine.ts';
import type { Cta } from '../machine/cta.ts';
import type { Step } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Picked } from '../../values/origin.ts';
import { LANES, RegisterFile, UndoLog } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import { isIncomplete, meetElsewhere } from './fibers.ts';
import { isCollective } from './joins.ts';
import { Guard, isDecisive } from './guard.ts';
import { LocalMemory } from './local-memory.ts';
import { Ahead } from './ahead.ts';
import { Apart } from './apart.ts';
import { Ghosts } from './ghosts.ts';
import { isForLast } from './last-thread.ts';
import { neverMetByMask } from './members.ts';
import { PartedLanes } from './parted-lanes.ts';
import { Mode } from './mode.ts';
import { ActionKind, isEnd, Status } from './program.ts';
import { Progress } from './progress.ts';
import type { Action, Program } from './program.ts';
import { RegistersInFlight } from './registers-in-flight.ts';
import { Shadow } from './shadow.ts';
import { SimtStack } from './stack.ts';
import { Turns } from './turns.ts';
import { summarizeLoop } from './loop-summary.ts';
import { noWait } from './wait.ts';
import { goesAround } from './around.ts';
import {
  isInQuestion,
  isDecided,
  mayExecute,
  undecidedBranch,
  unknownBranch,
} from './uncertain.ts';
import { reportPart } from './whole-warp.ts';

/** How a warp stopped. */
export type Stop = 'ended' | 'blocked' | 'budget';

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
  readonly progress = new Progress();
  readonly turns = new Turns();
  wait = noWait();
  readonly mode = new Mode();
  readonly apart = new Apart();
  readonly ahead = new Ahead(this);
  readonly undo: UndoLog;
  /** Registers that asynchronous work may still use; `null` for a kernel without such work. */
  readonly inFlight: RegistersInFlight | null;

  constructor(program: Program, machine: Machine, cta: Cta, index: number, threads: number) {
    this.program = program;
    this.machine = machine;
    const { registerUses } = program;
    this.inFlight = registerUses === null ? null : new RegistersInFlight(registerUses);
    this.cta = cta;
    this.index = index;
    this.lanes = threads >= LANES ? -1 : 2 ** threads - 1;
    this.registers = new RegisterFile(program.registers, this.lanes);
    this.local = new LocalMemory(machine.fresh());
    this.stack = new SimtStack(this.lanes);
    this.undo = new UndoLog(this.registers);
    initialize(this, machine);
  }

  /** Its number in the cluster, from 1. */
  get number(): number {
    return 1 + this.index + this.cta.rank * Math.ceil(this.machine.threads / LANES);
  }

  /** How many clocks and the like it has read. */
  get clock(): number {
    return this.progress.clock;
  }

  set clock(clock: number) {
    this.progress.clock = clock;
  }

  /** The instruction that is executed. */
  get instruction(): Instruction {
    return this.program.code.instructions[this.stack.counter]!;
  }

  /** What a try that is not repeated leaves open. */
  readonly shadow = new Shadow(this);

  /** Adds a step of some lanes, all threads unless specified; a look ahead adds none. */
  record(step: Step, lanes = this.lanes): void {
    if (this.ahead.look !== null) return;
    const own = this.apart.joins.stepOf(step, lanes, this);
    this.machine.record(this, own);
    this.mode.way?.record(own);
  }

  /** Lanes join: a step where one of them did something since. What may not happen joins none. */
  join(mask: number, at = this.stack.counter): void {
    if (this.ahead.look !== null || this.shadow.isRunning || this.mode.isUncertain) return;
    const { steps } = this;
    if (!this.apart.joins.isNeeded(mask, steps.length)) return;
    const isOfAll = this.apart.joins.join(mask, this.live, steps.length + 1);
    const step = { op: 'join', at } as const;
    this.machine.record(this, isOfAll ? step : { ...step, lanes: mask });
  }

  /** What its clock says, where the time of the run is simulated. */
  get simulatedTime(): number | undefined {
    return this.ahead.look === null ? this.machine.observer?.clockOf?.(this) : undefined;
  }

  /** The lanes that have not ended. */
  get live(): number {
    let live = this.stack.live | (this.apart.parted === null ? 0 : this.apart.parted.mask);
    for (const { stack } of this.apart.fibers) live |= stack.live;
    return live;
  }

  /** Whether nothing rests on the lanes being executed as they are. */
  get isDivisible(): boolean {
    const isPlain = this.ahead.look === null && this.shadow.isIdle;
    return isPlain && this.apart.parted === null && !this.mode.isUncertain && !this.mode.isLast;
  }

  /** Lets the lanes that execute an exchange wait, and the others go on without them. */
  part(mask: number, missing: number, isOfMasks = false): void {
    const { stack } = this;
    if (meetElsewhere(this, mask, missing)) return;
    const isAhead = this.ahead.look !== null || this.shadow.isRunning;
    if (isAhead || this.apart.fibers.length > 0) {
      this.apart.hold();
      return;
    }
    const { parted } = this.apart;
    // A compiler may let lanes jump right to an exchange to which the others come later.
    if (parted !== null && parted.at === stack.counter && parted.waiting.isBeside(stack)) {
      this.apart.parted = null;
      this.stack = parted.waiting.with(stack);
      return;
    }
    if (!this.isDivisible)
      this.machine.undecided(
        stack.counter,
        'its mask names lanes that have parted from the lanes that execute it',
      );
    this.apart.parted = new PartedLanes(stack.only(mask), mask, missing, stack.counter, isOfMasks);
    this.stack = stack.only(~mask);
  }

  /** Executes up to `budget` instructions. */
  run(budget: number): Stop {
    const { kinds, guards, actions, ofWarp, isTouching } = this.program;
    const { reached } = this.machine;
    const { guard, progress, apart } = this;
    const follow = this.#follow;
    const flights = this.#flights;
    const isReal = this.ahead.look === null;
    const end = kinds.length;
    this.wait.members = 0;
    for (let left = budget; left > 0; left--) {
      const { stack } = this;
      stack.settle();
      if (stack.depth === 0) {
        if (!this.#goesOn()) return this.#ended();
        continue;
      }
      const at = stack.counter;
      if (at >= end) {
        stack.leave(stack.mask);
        continue;
      }
      progress.executed++;
      if (isReal) reached[at] = 1;
      if (ofWarp[at] === 1 && isIncomplete(this)) return 'blocked';
      if (apart.parted !== null) this.#requireAllLanes(at);
      const kind = kinds[at]!;
      if (kind === ActionKind.visible && !this.ghosts.isEmpty && this.#joinsAt(at)) continue;
      let mask = stack.mask;
      if (guards[at]! >= 0) this.#ask(at);
      if (guards[at]! >= 0 && kind !== ActionKind.branch) {
        const done = this.#guarded(at, mask);
        if (done === 'blocked') return done;
        if (done === 'skipped') continue;
        mask = guard.executing;
      }
      follow?.(this, at, mask);
      if (isTouching[at] === 1) this.#touch(at, mask);
      if (!this.#execute(actions[at]!, at, mask, flights)) return 'blocked';
    }
    return 'budget';
  }

  #pick(picked: Picked | null): void {
    this.mode.picked = picked;
    this.registers.isPicked = picked === null ? 0 : 1;
  }

  /** A guard that depends on the block decides, or picks what is written. */
  #ask(at: number): void {
    if (this.registers.depends[this.program.guards[at]!] === 0) return;
    const picked = this.machine.blocks?.guard(this, at, this.stack.mask) ?? null;
    if (picked !== null) this.#pick(picked);
  }

  /** Notes what lanes touch in global memory; a look ahead touches nothing. */
  #touch(at: number, mask: number): void {
    const { touches } = this.machine;
    if (touches !== null && this.ahead.look === null)
      this.program.touchings[at]!.note(this, touches, mask);
  }

  /** Notifies the observer of the run of an instruction; of all those of a look ahead, or none. */
  get #follow(): Machine['follow'] {
    return this.ahead.look === null ? this.machine.follow : this.machine.followAll;
  }

  /** Registers that asynchronous work may still use, where what is executed is what happens. */
  get #flights(): RegistersInFlight | null {
    const isAlone = this.ahead.look === null && this.machine.round === null;
    return isAlone && !this.shadow.isRunning && !this.mode.isUncertain ? this.inFlight : null;
  }

  /** Lanes that waited for lanes which have ended go on without them; whether there are any. */
  #goesOn(): boolean {
    if (this.apart.parted === null || this.shadow.isRunning) return false;
    this.stack = this.apart.parted.waiting;
    if (this.apart.parted.isOfMasks) neverMetByMask(this);
    this.apart.parted = null;
    return true;
  }

  #requireAllLanes(at: number): void {
    if (!isCollective(this.instruction)) return;
    const { mask } = this.stack;
    if ((this.apart.parted!.missing & mask) !== 0) reportPart(this, this.instruction, mask);
    this.machine.undecided(at, 'it needs all lanes of the warp, and some wait elsewhere');
  }

  /** Finds the lanes that execute an instruction with a guard. */
  #guarded(at: number, mask: number): 'executes' | 'skipped' | 'blocked' {
    const { guard, stack } = this;
    guard.split(this, at, mask);
    if (guard.unknown !== 0) {
      const action = this.program.actions[at]!;
      const mayAsk =
        isDecisive(action) || (this.machine.decisions.isClose && isInQuestion(this, at));
      if (!isDecided(this, at, mayAsk)) {
        const lanes = guard.executing | guard.unknown;
        this.#follow?.(this, at, lanes);
        if (this.program.isTouching[at] === 1) this.#touch(at, lanes);
        return mayExecute(this, at, action) === Status.done ? 'skipped' : 'blocked';
      }
    }
    if (guard.executing !== 0 || this.mode.picked !== null) return 'executes';
    this.machine.followAll?.(this, at, 0);
    stack.counter = at + 1;
    return 'skipped';
  }

  /** Executes an instruction in the lanes of `mask`; `false` where the warp is blocked. */
  #execute(action: Action, at: number, mask: number, flights: RegistersInFlight | null): boolean {
    const { stack } = this;
    if (action.kind === 'visible') return this.#visible(action, at, mask, flights);
    flights?.pass(this, at);
    switch (action.kind) {
      case 'silent':
        action.run(this, mask);
        if (this.mode.picked !== null) this.#pick(null);
        if (this.program.collective[at] === 1) this.join(mask);
        if (this.apart.isHeld) {
          this.apart.tryAgain();
          if (this.ahead.look === null) this.wait.lanes = mask;
          return false;
        }
        stack.counter = at + 1;
        return true;
      case 'branch':
        return this.#branch(at, mask);
      case 'table':
        this.machine.blocks?.operands(this, at, mask);
        return this.#table(at, action.index, mask);
      case 'return':
        if (this.mode.isLast) return undecidedBranch(this, at);
        stack.counter = at + 1;
        stack.leave(mask);
        return true;
      case 'trap':
        if (this.ahead.look !== null || this.shadow.isRunning) return false;
        if (!this.mode.isUncertain) this.machine.fault('trap', at, trapText(this.instruction));
        stack.leave(mask);
        return true;
    }
  }

  /** Executes an instruction that others can observe. */
  #visible(
    action: Extract<Action, { kind: 'visible' }>,
    at: number,
    mask: number,
    flights: RegistersInFlight | null,
  ): boolean {
    const { stack, shadow } = this;
    this.machine.blocks?.operands(this, at, mask);
    if (action.isPrivate?.(this, mask) === true) {
      flights?.pass(this, at);
      action.run(this, mask);
      stack.counter = at + 1;
      return true;
    }
    if (this.mode.isLast && !action.isAccess && !isForLast(this.instruction))
      return undecidedBranch(this, at);
    if (shadow.isRunning || (this.ahead.look !== null && !action.mayLookAhead)) return false;
    if (this.machine.round?.allows(this, at) === false) return false;
    this.mode.accessing = 0;
    const status = shadow.beside(at, action, mask);
    // Lanes that wait for different phases wait one after the other.
    this.wait.lanes = mask & this.stack.mask;
    if (status !== Status.done) return false;
    this.wait.pending = undefined;
    this.wait.on = null;
    flights?.pass(this, at);
    if (this.ahead.look === null) this.turns.quietSince = -1;
    stack.counter = at + 1;
    shadow.settle();
    return true;
  }

  /** The lanes of the instruction in execution. */
  readonly guard = new Guard();

  #branch(at: number, mask: number): boolean {
    const { stack, program } = this;
    const target = program.code.instructions[at]!.targets[0]!;
    if (target <= at && this.ahead.look === null) {
      const round = (this.progress.rounds.get(at) ?? 0) + 1;
      this.progress.rounds.set(at, round);
      this.progress.around = goesAround(this, at, round);
    }
    if (program.guards[at]! < 0) {
      stack.counter = target;
      return true;
    }
    this.guard.split(this, at, mask);
    if (this.guard.unknown !== 0 && !isDecided(this, at, false))
      return unknownBranch(this, at, mask);
    const isAgain = this.guard.executing === mask && this.ahead.look === null;
    if (isAgain && program.countedLoops.has(at)) this.#summarize(at, mask);
    this.goWays(at, mask);
    return true;
  }

  /** Passes over rounds of a loop that are like the last one. */
  #summarize(at: number, mask: number): void {
    const { rounds, nextTries } = this.progress;
    const round = rounds.get(at) ?? 0;
    if (round >= (nextTries.get(at) ?? 0)) nextTries.set(at, summarizeLoop(this, at, mask, round));
  }

  /** Follows a branch with the lanes that are known to take it, and the others. */
  goWays(at: number, mask: number): void {
    const { stack, program } = this;
    const target = program.code.instructions[at]!.targets[0]!;
    const taken = this.guard.executing;
    if (taken === mask) stack.counter = target;
    else if (taken === 0) stack.counter = at + 1;
    else if (this.isDivisible && isEnd(program, target)) {
      // What these lanes hold counts no more for the others.
      stack.leave(taken);
      stack.counter = at + 1;
    } else stack.part(program.meetingPoints[at]!, [target, taken], [at + 1, mask & ~taken]);
  }

  #table(at: number, index: number, mask: number): boolean {
    const { stack, program, registers } = this;
    const { targets } = program.code.instructions[at]!;
    const groups = new Map<number, number>();
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const target = registers.read(index, lane, out) ? targets[out.low] : undefined;
      if (target === undefined) return unknownBranch(this, at, mask);
      groups.set(target, (groups.get(target) ?? 0) | (1 << lane));
    }
    const meeting = program.meetingPoints[at]!;
    stack.counter = meeting;
    for (const [target, lanes] of groups) stack.push(target, lanes, meeting);
    return true;
  }

  #ended(): Stop {
    this.joinGhosts();
    if (this.ahead.look === null) this.shadow.end();
    return 'ended';
  }

  /**
   * Brings ghosts to an instruction that others can observe, unless they come along to it; whether
   * it did. Lanes and addresses of the instruction are then those of all of them.
   */
  #joinsAt(at: number): boolean {
    if (this.shadow.isRunning || this.ahead.look !== null) return false;
    const action = this.program.actions[at]!;
    let { mask } = this.stack;
    let isKnown = true;
    if (this.program.guards[at]! >= 0) {
      this.guard.split(this, at, mask);
      isKnown = this.guard.unknown === 0;
      mask = this.guard.executing;
    }
    if (isKnown && mask === 0) return false;
    const isPoll = isKnown && action.kind === 'visible' && action.mayPoll?.(this, mask) === true;
    if (!isPoll) this.ghosts.merge(this);
    return !isPoll;
  }

  /** The warp with other values of what the order of the blocks decides. */
  readonly ghosts = new Ghosts();

  /** Whether ghosts can be followed from here. */
  get mayHaunt(): boolean {
    const { isUncertain, isLast } = this.mode;
    const { parted } = this.apart;
    return !this.shadow.isOpen && !isUncertain && !isLast && parted === null;
  }

  /** Brings the ghosts to the instruction in execution: what they differ in is unknown. */
  joinGhosts(): void {
    if (!this.shadow.isRunning && this.ahead.look === null) this.ghosts.merge(this);
  }
}
