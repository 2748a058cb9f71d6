// Lookahead: what the other agents can do while some stay fixed, on the steps that are known.
import { unreachable } from '@poundlock/core/internal/base';
import {
  FlightKind,
  IS_WORK,
  IN_ORDER,
  parityPasses,
  SYNC_RELEASED,
  type Instruction,
} from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind, type PostedKind, type SilentKind } from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import { FixedAgents } from './fixed-agents.ts';
import { LocalState } from './local-state.ts';
import { Paths, PathProgress } from './paths.ts';
import { ContributionBounds } from './contribution-bounds.ts';
import { Tickets } from './tickets.ts';
import { Visits } from './visits.ts';

/** The most operations that are followed from one state (bound `lookahead`). */
const MAX_LOOKAHEAD = 4_000;
const MANY_THREADS = 1 << 20;
/** Posted operations, but for the arrivals at named barriers. */
type FreeKind = Exclude<PostedKind, typeof OpKind.arriveNamed>;
/** What following an operation came to, where it is no answer. */
const STAYS = -1;
const ENDS = -2;

/**
 * Looks ahead from a state: which operations and completions can happen before one of the fixed
 * agents moves? The result may be too large and is never too small, as long as the steps that are
 * known are all that can be reached; {@link hasAssumed} is set where this was used.
 *
 * A wait passes when the barrier shows the phase now, or when the others' contributions can end a
 * phase: that bound is {@link ContributionBounds.latest}.
 */
export class Lookahead {
  readonly visits = new Visits();
  readonly bounds: ContributionBounds;
  /** Whether an answer was left out because its step is not unfolded yet. */
  hasAssumed = false;
  readonly #system: System;
  readonly #paths: Paths;
  /** The state, with the local words of the way that is followed. */
  readonly #words: Int32Array;
  readonly #local: LocalState;
  readonly #fixed: FixedAgents;
  readonly #tickets: Tickets;
  /** By named barrier: threads that may come. */
  readonly #threads: Int32Array;
  /** By role: whether it can come back to where it was, with nothing used up. */
  readonly #circling: Uint8Array;
  #left = 0;
  #hasChanged = false;

  constructor(system: System) {
    const { machine } = system;
    this.#system = system;
    this.#local = new LocalState(system);
    this.#fixed = new FixedAgents(machine);
    this.#paths = new Paths(this.#local.values.length);
    this.#words = new Int32Array(machine.layout.flights);
    this.bounds = new ContributionBounds(machine);
    this.#tickets = new Tickets(machine);
    this.#circling = new Uint8Array(system.roles);
    this.#threads = new Int32Array(machine.layout.sync - machine.layout.named);
  }

  /** Looks ahead from `words`. Fixed are roles by number, and flights by list position. */
  look(words: Int32Array, fixedRoles: Uint8Array, fixedFlights: Uint8Array): void {
    this.#begin(words, fixedRoles, fixedFlights);
    for (let role = 0; role < this.#system.roles; role++) {
      const step = words[role]!;
      if (this.#fixed.hasRole(role) || step < 0) continue;
      this.#local.take(words, role);
      this.#paths.add(role, step, -1, 0, this.#local.values);
    }
    const paths = this.#paths;
    do {
      this.#hasChanged = false;
      for (let path = 0; path < paths.length; path++) {
        if (paths.progress[path] !== PathProgress.over) this.#follow(path);
      }
    } while (this.#hasChanged);
    this.#tickets.blameOthers(this.visits, this.#system.machine);
  }

  /**
   * How many threads may be at a named barrier before a fixed role comes, with those there now;
   * more than any count where these named another count.
   */
  threadsAt(named: number, count: number): number {
    const at = this.#system.machine.layout.named + named * 2;
    const [there, expected] = [this.#words[at]!, this.#words[at + 1]!];
    if (there !== 0 && expected !== count) return Number.POSITIVE_INFINITY;
    return there + this.#threads[named]!;
  }

  #begin(words: Int32Array, fixedRoles: Uint8Array, fixedFlights: Uint8Array): void {
    const { machine, roles } = this.#system;
    for (let i = 0; i < this.#words.length; i++) this.#words[i] = words[i]!;
    this.#fixed.begin(words, fixedRoles, fixedFlights);
    this.#left = MAX_LOOKAHEAD;
    this.#paths.clear();
    this.visits.clear();
    this.bounds.clear();
    this.#threads.fill(0);
    this.#tickets.clear();
    const open = machine.openFlights;
    this.#circling.fill(0);
    for (let index = 0; index < open.count(words); index++) {
      if (this.#fixed.hasFlight(index)) continue;
      this.#fly(roles + index, open.idAt(words, index), index);
    }
  }

  /** Follows one way as far as it goes. */
  #follow(path: number): void {
    const paths = this.#paths;
    const role = paths.roles[path]!;
    this.#local.put(this.#words, role, paths.locals, path * this.#local.values.length);
    for (;;) {
      const step = paths.steps[path]!;
      const instruction = this.#system.instruction(step);
      if (instruction === null || this.#left-- <= 0) {
        (instruction === null ? this.visits.ended : this.visits.wild).push(role);
        paths.progress[path] = PathProgress.over;
        break;
      }
      const answer = this.#perform(path, instruction);
      if (answer < 0) {
        paths.progress[path] = answer === ENDS ? PathProgress.over : PathProgress.stays;
        break;
      }
      if (!this.#goOn(path, answer)) break;
    }
    this.#local.take(this.#words, role);
    paths.locals.set(this.#local.values, path * this.#local.values.length);
  }

  #goOn(path: number, answer: number): boolean {
    const paths = this.#paths;
    const next = this.#system.steps.known(paths.steps[path]!, answer);
    if (next < 0) {
      this.hasAssumed = true;
      paths.progress[path] = PathProgress.over;
      return false;
    }
    paths.steps[path] = next;
    paths.branched[path] = 0;
    paths.isListed[path] = 0;
    this.#hasChanged = true;
    return true;
  }

  /** Performs an operation as far as other agents observe it; its answer, or why there is none. */
  #perform(path: number, instruction: Instruction): number {
    const { kind } = instruction;
    switch (kind) {
      case OpKind.wait:
        return this.#wait(path, instruction, instruction.phase);
      case OpKind.waitParity:
        return this.#wait(path, instruction, instruction.parity);
      case OpKind.waitStage:
        return this.#waitStage(path, instruction);
      case OpKind.tryWait:
        return this.#try(path, instruction, instruction.target, instruction.phase);
      case OpKind.tryWaitStage:
        return this.#tryStage(path, instruction);
      case OpKind.tryClaim:
        return this.#claim(path, instruction);
      case OpKind.fetchAdd:
        return this.#fetchAdd(path, instruction);
      case OpKind.choose:
      case OpKind.load:
      case OpKind.alloc:
        return this.#branchAll(path, instruction);
      case OpKind.waitGroup:
        return this.#fixed.canGroupsComplete(instruction) ? 0 : STAYS;
      case OpKind.join:
        return this.#fixed.hasRole(instruction.target) ? STAYS : 0;
      case OpKind.syncNamed:
        return this.#named(path, instruction, true);
      case OpKind.arriveNamed:
        return this.#named(path, instruction, false);
      case OpKind.syncCluster:
        return this.#cluster(path, instruction);
      case OpKind.waitCluster:
        this.#list(path, instruction, -1, 0);
        return this.#fixed.canClusterOpen(instruction) ? 0 : STAYS;
      case OpKind.waitGrids:
        this.#list(path, instruction, -1, 0);
        return this.#fixed.canGridFollow(instruction) ? 0 : STAYS;
      case OpKind.takeRegisters:
        // Whatever the others give: there may be enough.
        this.#list(path, instruction, -1, 0);
        return 0;
      case OpKind.step:
      case OpKind.more:
      case OpKind.stage:
      case OpKind.compute:
      case OpKind.fence:
        return this.#silent(kind, instruction);
      default:
        return this.#post(kind, instruction);
    }
  }

  /** P10, as `Registers.pass`, on words of its own that must not count as a use of a register. */
  #silent(kind: SilentKind, instruction: Instruction): number {
    const { target, role, side, past } = instruction;
    const words = this.#words;
    switch (kind) {
      case OpKind.more: {
        const { counts } = this.#system.program.declarations;
        const at = this.#local.count(role, target);
        if (words[at]! >= counts[target]!.total) return 0;
        words[at]! += 1;
        return 1;
      }
      case OpKind.stage:
        return words[this.#local.register(role, target, side)]! % this.#local.stages(target);
      case OpKind.step: {
        const at = this.#local.register(role, target, side);
        // R10: a misstep ends the way, and is found when its role makes it.
        if (past >= 0 && words[at]! % this.#local.stages(target) !== past) return ENDS;
        words[at]! += 1;
        return 0;
      }
      case OpKind.compute:
      case OpKind.fence:
        return 0;
      default:
        return unreachable(kind);
    }
  }

  #wait(path: number, instruction: Instruction, phase: number): number {
    this.#list(path, instruction, instruction.target, phase);
    return this.#mayPass(instruction.target, phase) ? 0 : STAYS;
  }

  #waitStage(path: number, instruction: Instruction): number {
    const { target, role, side } = instruction;
    const at = this.#local.register(role, target, side);
    const barrier = this.#local.barrierOf(this.#words, instruction, at, 0);
    const phase = this.#local.phaseOf(this.#words, instruction, at, 0);
    this.#list(path, instruction, barrier, phase);
    if (!instruction.isAssumed && !this.#mayPass(barrier, phase)) return STAYS;
    return this.#words[at]! % this.#local.stages(target);
  }

  #tryStage(path: number, instruction: Instruction): number {
    const at = this.#local.register(instruction.role, instruction.target, instruction.side);
    const barrier = this.#local.barrierOf(this.#words, instruction, at, 0);
    return this.#try(
      path,
      instruction,
      barrier,
      this.#local.phaseOf(this.#words, instruction, at, 0),
    );
  }

  /** M08: a try may fail at any time, and succeed once the phase may be over. */
  #try(path: number, instruction: Instruction, barrier: number, phase: number): number {
    this.#list(path, instruction, barrier, phase);
    if (this.#paths.branched[path] === 0) {
      this.#paths.branched[path] = 1;
      if (!this.#system.steps.isRetry(this.#paths.steps[path]!)) this.#branch(path, 0);
    }
    return this.#mayPass(barrier, phase) ? 1 : STAYS;
  }

  /** R05: the stages that can be claimed one after the other, by any roles. */
  #claim(path: number, instruction: Instruction): number {
    const { target, cta } = instruction;
    const { layout, program, steps } = this.#system;
    const at = layout.claims + target * program.ctas + cta;
    const paths = this.#paths;
    const isFirst = paths.isListed[path] === 0;
    if (isFirst && !steps.isRetry(paths.steps[path]!)) this.#branch(path, -1);
    const stages = this.#local.stages(target);
    for (let next = paths.branched[path]!; ; next++) {
      if (this.#left-- <= 0) {
        this.visits.wild.push(instruction.role);
        break;
      }
      const barrier = this.#local.barrierOf(this.#words, instruction, at, next);
      const phase = this.#local.phaseOf(this.#words, instruction, at, next);
      if (paths.isListed[path]! <= next) this.visits.wait(instruction, barrier, phase);
      paths.isListed[path] = Math.min(next + 1, 255);
      if (!this.#mayPass(barrier, phase)) break;
      // Further rounds of the ring answer the same stages.
      if (next < stages) this.#branch(path, (this.#words[at]! + next) % stages);
      paths.branched[path] = next + 1;
    }
    return STAYS;
  }

  /** Each integer that the role may get: see {@link Tickets}. */
  #fetchAdd(path: number, instruction: Instruction): number {
    const paths = this.#paths;
    const { target, amount, role } = instruction;
    this.#list(path, instruction, -1, 0);
    if (this.#tickets.come(instruction, paths.cells[path]!, paths.tickets[path]!)) {
      this.#hasChanged = true;
    }
    if (amount === 0) this.visits.wild.push(role);
    const first = this.#words[this.#system.machine.layout.cells + target]!;
    const most = this.#tickets.most(target);
    for (let next = paths.branched[path]!; next < most; next++) {
      this.#branch(path, first + next * amount, target);
      paths.branched[path] = next + 1;
    }
    return STAYS;
  }

  /** Every answer that is known: it depends on more than is looked at here. */
  #branchAll(path: number, instruction: Instruction): number {
    this.visits.operation(instruction);
    const answers = this.#system.steps.answers(this.#paths.steps[path]!);
    for (const answer of answers) this.#branch(path, answer);
    if (instruction.kind !== OpKind.choose || answers.length < instruction.choices) {
      this.hasAssumed = true;
    }
    return ENDS;
  }

  /** Adds the way that goes on with an answer. */
  #branch(path: number, answer: number, cell = -1): void {
    const paths = this.#paths;
    const role = paths.roles[path]!;
    const next = this.#system.steps.known(paths.steps[path]!, answer);
    if (next < 0) {
      this.hasAssumed = true;
      return;
    }
    if (paths.isFull) {
      this.visits.wild.push(role);
      return;
    }
    this.#local.take(this.#words, role);
    const [from, ticket] = cell < 0 ? [paths.cells[path]!, paths.tickets[path]!] : [cell, answer];
    const known = paths.add(role, next, from, ticket, this.#local.values);
    if (known < 0) this.#hasChanged = true;
    // An integer that is taken is not there a second time.
    if (cell >= 0) return;
    if (known < 0) paths.continues(path);
    else if (this.#circling[role] === 0 && paths.joins(path, known)) this.#circle(role);
  }

  /** A role can go round: what it contributes on the way it can contribute any number of times. */
  #circle(role: number): void {
    this.#circling[role] = 1;
    this.#hasChanged = true;
    const { agents, instructions, flights, length } = this.visits;
    for (let visit = 0; visit < length; visit++) {
      if (agents[visit] === role) this.#repeat(instructions[visit]!, flights[visit]!);
    }
  }

  /** Counts an operation, or the completion of a flight, as any number of them. */
  #repeat(instruction: Instruction | null, flight: number): void {
    const { flights } = this.#system.machine.flights;
    const barriers = instruction?.barriers ?? [flights[flight]!.barrier];
    for (const barrier of barriers) if (barrier >= 0) this.bounds.repeat(barrier);
    if (instruction === null || CATALOGUE[instruction.kind]!.names !== 'named') return;
    this.#threads[instruction.target] = MANY_THREADS;
  }

  /** N01: it may be complete when enough threads may come. */
  #named(path: number, instruction: Instruction, blocks: boolean): number {
    const { target, role, lanes, threads } = instruction;
    const { layout } = this.#system.machine;
    const isFirst = this.#paths.isListed[path] === 0;
    if (isFirst && this.#words[layout.sync + role] === SYNC_RELEASED) {
      this.#words[layout.sync + role] = 0;
      return 0;
    }
    const waits = this.#words[layout.sync + role] === target + 1;
    if (isFirst) {
      this.#paths.isListed[path] = 1;
      this.visits.operation(instruction);
      if (!waits) this.#threads[target]! += lanes;
      if (this.#circling[role] === 1) this.#repeat(instruction, -1);
      this.#hasChanged = true;
    }
    if (!blocks) return 0;
    const there = this.#words[layout.named + target * 2]! + this.#threads[target]!;
    if (there < threads) return STAYS;
    this.#words[layout.sync + role] = 0;
    return 0;
  }

  /** N02: no role passes while a fixed role has not arrived. */
  #cluster(path: number, instruction: Instruction): number {
    const { layout } = this.#system.machine;
    const { role } = instruction;
    const isFree = this.#words[layout.sync + role] === SYNC_RELEASED;
    if (!isFree) this.#list(path, instruction, -1, 0);
    if (!isFree && this.#fixed.isAnyRole) return STAYS;
    this.#words[layout.sync + role] = 0;
    return 0;
  }

  /** Operations that never wait. */
  #post(kind: FreeKind, instruction: Instruction): number {
    const { role, arrivals, lanes, bytes } = instruction;
    this.visits.operation(instruction);
    if (this.#circling[role] === 1) this.#repeat(instruction, -1);
    switch (kind) {
      case OpKind.arrive:
        for (const barrier of instruction.barriers) {
          this.bounds.arrive(barrier, arrivals, lanes, bytes);
        }
        return 0;
      case OpKind.expectTx:
        for (const barrier of instruction.barriers) this.bounds.expect(barrier, bytes);
        return 0;
      case OpKind.completeTx:
        for (const barrier of instruction.barriers) this.bounds.complete(barrier, bytes);
        return 0;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        // U08: what a phase is made to wait for is not followed.
        if (arrivals > 0) this.visits.wild.push(role);
        for (const flight of instruction.flights) this.#fly(role, flight, -1);
        return arrivals > 0 ? ENDS : 0;
      case OpKind.read:
      case OpKind.write:
      case OpKind.store:
      case OpKind.free:
      case OpKind.relinquish:
      case OpKind.arriveCluster:
      case OpKind.giveRegisters:
      case OpKind.launchDependents:
        return 0;
      // Lifetimes begin and end: their effects on others are not followed.
      case OpKind.init:
      case OpKind.invalidate:
      case OpKind.arriveDrop:
      case OpKind.spawn:
      case OpKind.exit:
        this.visits.wild.push(role);
        return ENDS;
      default:
        return unreachable(kind);
    }
  }

  /** A flight under way, or launched, may complete unless it is behind fixed work. */
  #fly(agent: number, id: number, index: number): void {
    const { flights, traits } = this.#system.machine.flights;
    const { kind, barrier, bytes } = flights[id]!;
    if (kind === FlightKind.group) return;
    const waitsForWork = (traits[id]! & (IS_WORK | IN_ORDER)) !== IS_WORK;
    if (waitsForWork && this.#fixed.isBefore(id, index)) {
      if (kind === FlightKind.copy && barrier >= 0) this.bounds.linger(barrier);
      return;
    }
    this.visits.completion(agent, id);
    if (barrier < 0) return;
    if (this.#circling[agent] === 1) this.bounds.repeat(barrier);
    if (kind === FlightKind.signal) this.bounds.arrive(barrier, 1, 1, 0);
    else if (kind === FlightKind.copy) this.bounds.complete(barrier, bytes);
  }

  #mayPass(barrier: number, phase: number): boolean {
    const { machine } = this.#system;
    const completed = machine.completed(this.#words, barrier);
    const latest = this.bounds.latest(this.#words, barrier);
    if (machine.isCounter(barrier)) return latest > phase;
    return latest > completed || parityPasses(completed, phase);
  }

  #list(path: number, instruction: Instruction, barrier: number, phase: number): void {
    if (this.#paths.isListed[path] !== 0) return;
    this.#paths.isListed[path] = 1;
    this.visits.wait(instruction, barrier, phase);
  }
}
