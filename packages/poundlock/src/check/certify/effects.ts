// What every operation does to the knowledge, and which conditions it must meet as the run goes by.
import { unreachable } from '@poundlock/core/internal/base';
import { BLOCKED, SYNC_CLUSTER, SYNC_NONE, SYNC_RELEASED } from '@poundlock/core/internal/machine';
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import { neverPerformed, type RoleDriver } from '@poundlock/core/internal/program';
import { hasLeftovers, MISSTEP } from '@poundlock/core/internal/system';
import { AccessChecks } from './accesses.ts';
import { Barriers } from './barriers.ts';
import { Gathering } from './gathering.ts';
import { Launches } from './launches.ts';
import type { RegisterChecks } from './register-order.ts';
import { SplitMeetings } from './split-meetings.ts';
import { AsyncIssues } from './async-issues.ts';
import type { RunState } from './run-state.ts';
import { CertificateFailure } from './certificate-failure.ts';
import type { OpenTries, Place } from './try-log.ts';

/** Operations that most programs make seldom. */
type RareKind =
  | typeof OpKind.store
  | typeof OpKind.load
  | typeof OpKind.syncNamed
  | typeof OpKind.arriveNamed
  | typeof OpKind.syncCluster
  | typeof OpKind.arriveCluster
  | typeof OpKind.waitCluster
  | typeof OpKind.giveRegisters
  | typeof OpKind.takeRegisters
  | typeof OpKind.launchDependents
  | typeof OpKind.waitGrids
  | typeof OpKind.alloc
  | typeof OpKind.free
  | typeof OpKind.relinquish
  | typeof OpKind.spawn
  | typeof OpKind.join
  | typeof OpKind.exit
  | typeof OpKind.init
  | typeof OpKind.invalidate;

type GatherKind = typeof OpKind.syncNamed | typeof OpKind.arriveNamed | typeof OpKind.syncCluster;

/** What numbers of registers are a multiple of, and the most of a thread (Q03). */
const UNIT = 8;
const MOST = 256;

/** The first key of split cluster barriers, one for each grid. */
const SPLIT_CLUSTER = -1000;

/**
 * Performs operations on the machine, and checks every condition of docs/explanation/certificate.md
 * at the operation that could break it: a {@link CertificateFailure} ends the run there.
 */
export class Effects {
  readonly run: RunState;
  readonly barriers: Barriers;
  readonly accesses: AccessChecks;
  readonly asyncIssues: AsyncIssues;
  readonly #gathering: Gathering;
  readonly split: SplitMeetings;
  readonly registers: RegisterChecks;
  /** By role: the last operation that took registers. */
  readonly #takers = new Map<number, Instruction>();
  readonly #launches: Launches;
  readonly #driver: RoleDriver;
  /** The answer of the last operation. */
  answer = 0;
  /** Set when anything happened. */
  progress = false;
  events = 0;
  /** Roles and answers of all operations in their order, where a schedule is to be shown. */
  order: number[] | null = null;
  /** The tries of the run, where all of them are answered with no. */
  tries: OpenTries | null = null;

  constructor(run: RunState, driver: RoleDriver, registers: RegisterChecks) {
    this.run = run;
    this.#driver = driver;
    this.barriers = new Barriers(run);
    this.accesses = new AccessChecks(run);
    this.asyncIssues = new AsyncIssues(run, this.barriers, this.accesses);
    this.#gathering = new Gathering(run.know);
    this.registers = registers;
    this.#launches = new Launches(run.know, run.learned);
    this.split = new SplitMeetings(run.know);
  }

  /** Whether something is left over, which at the end is a warning (M13, A03). */
  get hasLeftovers(): boolean {
    const { machine, words, openCopies } = this.run;
    return hasLeftovers(machine, words) || openCopies?.isRestless === true;
  }

  /** A role has ended, and the machine has seen it. */
  ended(role: number, isOpen: boolean): void {
    this.progress = true;
    this.run.requireNoFault();
    if (isOpen) this.#openCluster(this.run.program.roles[role]!.grid);
  }

  /** P10: passes a silent operation, and returns its answer. */
  pass(role: number, instruction: Instruction): number {
    const { registers, words, memory } = this.run;
    memory?.pass(role, instruction);
    const answer = registers.pass(words, instruction);
    if (answer !== MISSTEP) return answer;
    throw new CertificateFailure('fault', 'a stage is released out of order');
  }

  /** D, R, Q: what must hold once every role has ended. */
  requireEnd(): void {
    this.barriers.requireEnd();
    this.#noteRegisters();
    this.run.requireLifetimes();
    this.registers.requireEnd();
  }

  /** Q01: what is left is enough for all roles that took some to take the next number. */
  #noteRegisters(): void {
    const { program, machine, words, memory } = this.run;
    const { registers } = program.declarations;
    if (registers === null || memory === null) return;
    for (let cta = 0; cta < program.ctas; cta++) {
      const takers = [...this.#takers.values()].filter((one) => one.cta === cta);
      const threads = takers.reduce((sum, one) => sum + one.threads, 0);
      const isFull = takers.some(({ role }) => machine.registers.held(words, role) >= MOST);
      if (threads === 0 || isFull) continue;
      if (machine.registers.free(words, cta) >= threads * UNIT) memory.warnOfRegisters(cta);
    }
  }

  /** Performs a visible operation that has one answer; `false` if the role has to wait. */
  perform(role: number, instruction: Instruction): boolean {
    const { run } = this;
    this.answer = 0;
    const { kind } = instruction;
    run.memory?.begin(role, instruction, this.order?.length ?? 0);
    switch (kind) {
      case OpKind.wait:
        // R06: the true phase of such a barrier is part of the state.
        run.registers.markAbsolute(instruction.target);
        return this.#wait(role, instruction, instruction.target, instruction.phase);
      case OpKind.waitParity:
        return this.#wait(role, instruction, instruction.target, instruction.parity);
      case OpKind.waitStage:
        return this.#waitStage(role, instruction);
      case OpKind.arrive:
        this.barriers.arrive(role, instruction);
        break;
      case OpKind.arriveDrop:
      case OpKind.expectTx:
      case OpKind.completeTx:
        this.barriers.signal(role, kind, instruction);
        break;
      case OpKind.read:
      case OpKind.write:
        run.know.event(role);
        this.accesses.access(role, instruction.cta, instruction, instruction.isPossible);
        break;
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        this.events += this.asyncIssues.issue(role, instruction);
        break;
      case OpKind.waitGroup:
        if (!this.asyncIssues.waitGroup(role, instruction)) return false;
        break;
      case OpKind.step:
      case OpKind.stage:
      case OpKind.more:
      case OpKind.fence:
      case OpKind.compute:
        return neverPerformed(kind);
      case OpKind.choose:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.fetchAdd:
        throw new CertificateFailure(
          'choice',
          `${CATALOGUE[kind]!.name} can return more than one result`,
        );
      default:
        return this.#performRare(role, kind, instruction);
    }
    this.events++;
    this.progress = true;
    return true;
  }

  #performRare(role: number, kind: RareKind, instruction: Instruction): boolean {
    const { run } = this;
    const { target, cta } = instruction;
    switch (kind) {
      case OpKind.store:
      case OpKind.load:
        run.know.event(role);
        this.accesses.useCell(role, target, kind === OpKind.load);
        this.answer = this.#issue(instruction);
        if (kind === OpKind.store) run.memory?.storeTo(target, false);
        else run.memory?.loadFrom(role, target);
        break;
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
        if (!this.#gather(role, kind, instruction)) return false;
        break;
      case OpKind.arriveCluster:
      case OpKind.waitCluster:
        if (!this.#cluster(role, kind, instruction)) return false;
        break;
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
        if (!this.#changeRegisters(kind, instruction)) return false;
        break;
      case OpKind.launchDependents:
        this.#launches.launch(role, cta);
        this.#issue(instruction);
        break;
      case OpKind.waitGrids:
        if (!this.#waitGrids(role, instruction)) return false;
        break;
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
        if (!run.machine.enabled(run.words, instruction)) {
          throw new CertificateFailure('choice', 'an allocation waits for memory');
        }
        this.answer = this.accesses.usePool(role, kind, instruction, false);
        break;
      case OpKind.spawn:
        this.#spawn(role, target);
        break;
      case OpKind.join:
        if (!this.#driver.mayJoin(run.words, target)) return false;
        // L01: what the other role has done comes before what goes on now.
        run.learned.joins = true;
        run.know.join(role, target);
        run.memory?.joinRole(role, target);
        break;
      case OpKind.exit:
        this.#exit(role, instruction);
        break;
      case OpKind.init:
        this.barriers.requireLeft(role, target);
        this.#issue(instruction);
        this.barriers.begin(role, target);
        this.tries?.begin(target);
        break;
      case OpKind.invalidate:
        this.barriers.requireLife(role, cta, target);
        this.barriers.requireLeft(role, target);
        run.mayBeGone = true;
        this.#issue(instruction);
        this.barriers.end(role, target);
        break;
      default:
        return unreachable(kind);
    }
    this.events++;
    this.progress = true;
    return true;
  }

  #wait(role: number, { kind, cta }: Instruction, barrier: number, phase: number): boolean {
    const isRaw = kind === OpKind.waitParity;
    if (!this.barriers.wait(role, cta, barrier, phase, isRaw)) return false;
    this.tries?.wait(role, barrier, isRaw ? this.barriers.completed(barrier) - 1 : phase);
    this.events++;
    this.progress = true;
    return true;
  }

  /** T7: a try, answered with no; a poll is a wait (P07). `false` if the role has to wait. */
  performTry(role: number, instruction: Instruction, tries: OpenTries, place: Place): boolean {
    const { run, barriers } = this;
    const { kind, cta, target } = instruction;
    const isOfRing = kind === OpKind.tryWaitStage;
    if (isOfRing) this.requireNoFork(instruction);
    else run.registers.markAbsolute(target);
    const barrier = isOfRing ? run.registers.wantedBarrier(run.words, instruction) : target;
    const phase = isOfRing ? run.registers.wantedPhase(run.words, instruction) : instruction.phase;
    const { rows } = run.program;
    const isRetry =
      tries.repeats(role, instruction, place) && rows.isTraceless(instruction, place.position);
    if (isRetry) {
      if (!barriers.wait(role, cta, barrier, phase, false)) return false;
      tries.wait(role, barrier, phase);
    } else {
      barriers.requireStanding(role, cta, barrier, phase, false);
      barriers.reach(role, cta, barrier);
      tries.fail(role, instruction, place, barrier, phase);
    }
    this.answer = isRetry ? 1 : 0;
    this.events++;
    this.progress = true;
    return true;
  }

  #waitStage(role: number, instruction: Instruction): boolean {
    const { registers, words } = this.run;
    const barrier = registers.wantedBarrier(words, instruction);
    const phase = registers.wantedPhase(words, instruction);
    this.requireNoFork(instruction);
    if (instruction.isAssumed) {
      this.barriers.assume(role, instruction.cta, barrier, phase);
      this.events++;
      this.progress = true;
    } else if (!this.#wait(role, instruction, barrier, phase)) return false;
    this.answer = registers.stage(words, instruction);
    return true;
  }

  /** R09: copies of a pipeline that a role uses have not diverged. */
  requireNoFork(instruction: Instruction): void {
    const { registers, words } = this.run;
    if (registers.forkOf(words, instruction) < 0) return;
    throw new CertificateFailure('fault', 'two copies of a pipeline have different counters');
  }

  /** L01: what the new role does comes after what its starter has done. */
  #spawn(role: number, target: number): void {
    this.run.know.join(target, role);
    this.run.memory?.joinRole(target, role);
    if (this.#driver.start(this.run.words, target)) return;
    throw new CertificateFailure('unsupported', 'a role is spawned that may already have started');
  }

  /** L02: everything that reached into the CTA comes before its end. */
  #exit(role: number, instruction: Instruction): void {
    const { cta } = instruction;
    const { program } = this.run;
    const barriers = program.declarations.barriers.length * program.ctas;
    for (let barrier = cta; barrier < barriers; barrier += program.ctas) {
      this.barriers.requireLeft(role, barrier);
    }
    this.accesses.requireLeft(role, cta);
    this.run.mayBeGone = true;
    this.#issue(instruction);
  }

  /** N01, N02: `false` while the role stands at a named or cluster barrier. */
  #gather(role: number, kind: GatherKind, instruction: Instruction): boolean {
    const { run } = this;
    const { words, machine } = run;
    const { target } = instruction;
    const { sync } = machine.layout;
    const state = words[sync + role];
    const isCluster = kind === OpKind.syncCluster;
    const key = isCluster ? -1 - run.program.roles[role]!.grid : target;
    if (state === SYNC_RELEASED) {
      this.#issue(instruction);
      return true;
    }
    if (state !== SYNC_NONE) return false;
    const failed = this.#gathering.arrive(key, role);
    if (failed !== null) {
      const meeting = { target, role, others: this.#gathering.before(key) };
      throw new CertificateFailure(
        failed,
        'the arrivals at a named barrier can be distributed over its phases in a different way',
        { lack: this.#gathering.lackOf(key, role), ...(isCluster ? {} : { named: meeting }) },
      );
    }
    run.memory?.arriveAt(key);
    const code = isCluster ? SYNC_CLUSTER : target + 1;
    const waited: number[] = kind === OpKind.arriveNamed ? [] : [role];
    for (let other = 0; other < this.run.program.roles.length; other++) {
      const { grid } = run.program.roles[other]!;
      const isNear = !isCluster || grid === run.program.roles[role]!.grid;
      if (words[sync + other] === code && isNear) waited.push(other);
    }
    if (this.#issue(instruction) === BLOCKED) {
      this.events++;
      this.progress = true;
      this.order?.push(role, 0);
      return false;
    }
    if (machine.isGathered(words, isCluster ? -1 : key)) {
      this.#gathering.complete(key, waited);
      run.memory?.leaveTogether(key, waited);
    }
    return true;
  }

  /** N07: the two halves of a cluster barrier; `false` while the role waits. */
  #cluster(
    role: number,
    kind: typeof OpKind.arriveCluster | typeof OpKind.waitCluster,
    instruction: Instruction,
  ): boolean {
    const { run } = this;
    const { grid } = run.program.roles[role]!;
    if (kind === OpKind.arriveCluster) {
      this.split.arrive(grid, role);
      run.memory?.arriveAt(SPLIT_CLUSTER - grid);
      this.#issue(instruction);
      if (run.words[run.machine.layout.cluster + role] === SYNC_RELEASED) this.#openCluster(grid);
      return true;
    }
    if (!run.machine.enabled(run.words, instruction)) return false;
    this.#issue(instruction);
    this.split.leave(grid, role);
    run.memory?.leave(role, SPLIT_CLUSTER - grid);
    return true;
  }

  /** N06: a generation is over, as all have arrived that have not ended. */
  #openCluster(grid: number): void {
    this.split.open(grid);
    this.run.memory?.openMeeting(SPLIT_CLUSTER - grid);
  }

  /** Q02: `false` while a role waits for registers. */
  #changeRegisters(
    kind: typeof OpKind.giveRegisters | typeof OpKind.takeRegisters,
    instruction: Instruction,
  ): boolean {
    if (kind === OpKind.giveRegisters) this.#change(instruction);
    else if (!this.run.machine.enabled(this.run.words, instruction)) return false;
    else this.takeRegisters(instruction);
    return true;
  }

  /** Q02: a role takes registers that its CTA has. */
  takeRegisters(instruction: Instruction): void {
    this.#change(instruction);
    this.#takers.set(instruction.role, instruction);
  }

  #change(instruction: Instruction): void {
    const { machine, words } = this.run;
    this.registers.change(instruction, machine.registers.held(words, instruction.role));
    this.#issue(instruction);
  }

  /** D01: a grid begins after the launches in all CTAs, and the ends of those without one. */
  #begin(role: number): void {
    const { know, machine, program, words } = this.run;
    const before = program.gridCtas[program.roles[role]!.grid - 1]!;
    for (let cta = before.first; cta < before.end; cta++) {
      if (words[machine.layout.launched + cta] !== 0) this.#launches.follow(role, cta);
      else {
        program.roles.forEach((other, index) => {
          if (other.cta === cta) know.join(role, index);
        });
      }
    }
  }

  /** D01, D02: `false` while a role waits for the grid before. */
  #waitGrids(role: number, instruction: Instruction): boolean {
    const { run } = this;
    if (!run.machine.enabled(run.words, instruction)) return false;
    this.#issue(instruction);
    run.learned.joins = true;
    const { roles } = run.program;
    if (instruction.isRaw) {
      this.#begin(role);
      return true;
    }
    for (const [other, { grid }] of roles.entries()) {
      if (grid !== roles[role]!.grid - 1) continue;
      run.know.join(role, other);
      this.asyncIssues.learnAll(role, other);
    }
    run.memory?.joinGrid(role);
    return true;
  }

  #issue(instruction: Instruction): number {
    const answer = this.run.machine.issue(this.run.words, instruction);
    this.run.requireNoFault();
    return answer;
  }
}
