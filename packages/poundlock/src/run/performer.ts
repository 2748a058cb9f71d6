// Performs the operations of one role at the call, with Atomics, as docs/semantics.md says.
import { invariant } from '../base/index.ts';
import type { RuleId } from '../finding/index.ts';
import { Fault, FlightKind, type Flight, type Instruction } from '../machine/index.ts';
import { ASSUMED, CATALOGUE, DRAINING, OpKind, Side, type Op } from '../op/index.ts';
import { misuseOf, type Program, type Resolver, type View, type Work } from '../program/index.ts';
import type { Performing, Ready } from '../program/index.ts';
import { barriers, Outcome, PHASE_SHIFT, POISON, type ShortCalls } from '../ring/parts.ts';
import { FAULT_RULES } from '../system/index.ts';
import { Global, RoleWord, Status, STATUS_STEP, type Plan } from './plan.ts';
import { RareOps } from './rare.ts';
import { Progress, ReadyLong, Register, shortWay, type Surroundings } from './ready.ts';
import type { Recorder } from './recorder.ts';
import type { Sleeper } from './sleeper.ts';
import { RuleBroken, RunOver } from './stop.ts';

/** How long a try looks for its phase before it says no, as hardware does. */
const TRY_MS = 0.2;

const OUTCOME_RULES: Readonly<Record<Exclude<Outcome, 0 | 1>, RuleId>> = {
  [Outcome.overArrival]: 'over-arrival',
  [Outcome.uninitialised]: 'uninitialised-barrier',
  [Outcome.invalid]: 'missing-drain',
  [Outcome.alreadyLive]: 'uninitialised-barrier',
};

const IS_SILENT = Uint8Array.from(CATALOGUE, (entry) => Number(entry.class === 'silent'));

/** An operation with what it is to one performer, which it remembers: see {@link Op.resolved}. */
class Known {
  readonly owner: Performer;
  readonly ready: Ready;
  constructor(owner: Performer, ready: Ready) {
    this.owner = owner;
    this.ready = ready;
  }
}

/** What is left of operations once a role is over: its blocks are only being left. */
const NOTHING: Ready = { now: () => 0 };

/** A small generator of seeded choices. */
function nextRandom(seed: number): number {
  return (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
}

/** One role's operations on the shared memory of a run. */
export class Performer implements Performing {
  readonly #program: Program;
  readonly #plan: Plan;
  readonly #words: Int32Array;
  readonly #resolver: Resolver;
  readonly #role: number;
  readonly #sleeper: Sleeper;
  readonly #recorder: Recorder;
  readonly #rare: RareOps;
  readonly #view: View;
  readonly #stretch: () => number;
  readonly #around: Surroundings;
  readonly #progress: Progress;
  /** Whether lives of barriers and CTAs matter from the start; else once somebody ends one. */
  readonly #mayEnd: boolean;
  /** P07: the try that has just failed, and the round it failed in. */
  #failedTry: Instruction | null = null;
  #failedIn = -1;
  readonly #onStop: () => void;
  #seed: number;
  /** Nothing is performed any more: the role's blocks are only being left. */
  #isOver = false;

  /** `stretch` tells rounds of loops apart. */
  constructor(
    plan: Plan,
    words: Int32Array,
    parts: {
      readonly program: Program;
      readonly resolver: Resolver;
      readonly role: number;
      readonly sleeper: Sleeper;
      readonly recorder: Recorder;
      readonly view: View;
      readonly calls: ShortCalls;
      readonly stretch: () => number;
      readonly seed: number;
      /** Told when an operation throws, before the blocks of the role are left. */
      readonly onStop: () => void;
    },
  ) {
    const { program } = parts;
    const { rings, counts, barriers: declared, pools } = program.declarations;
    this.#program = program;
    this.#plan = plan;
    this.#words = words;
    this.#resolver = parts.resolver;
    this.#role = parts.role;
    this.#sleeper = parts.sleeper;
    this.#recorder = parts.recorder;
    this.#view = parts.view;
    this.#stretch = parts.stretch;
    this.#onStop = parts.onStop;
    this.#seed = nextRandom(parts.seed ^ (parts.role * 0x9e3779b1));
    this.#rare = new RareOps(plan, words, parts.sleeper);
    this.#mayEnd = program.ctas > 1 || declared.some(({ count }) => count === 0);
    const registers = rings.flatMap(({ stages }) => [new Register(stages), new Register(stages)]);
    this.#progress = new Progress(registers, counts.length, plan.taken(words, parts.role));
    this.#progress.settle(parts.recorder.isOn);
    this.#around = {
      plan,
      words,
      progress: this.#progress,
      recorder: parts.recorder,
      debts: parts.sleeper.debts,
      calls: parts.calls,
      ringBarriers: rings.flatMap(({ full, empty }) => [
        Int32Array.from(empty),
        Int32Array.from(full),
      ]),
      ctas: program.ctas,
      isCounter: Uint8Array.from(declared, ({ mode }) => Number(mode === 'counter')),
      pooled: new Set(pools.flatMap(({ buffers }) => buffers)),
      totals: counts.map(({ total }) => total),
    };
  }

  /** Performs an operation and returns its answer. Blocks where the operation waits. */
  perform(op: Op): number {
    return this.ready(op).now();
  }

  ready(op: Op): Ready {
    const known = op.resolved as Known | null;
    if (known !== null && known.owner === this) return known.ready;
    return this.#isOver ? NOTHING : this.#learn(op);
  }

  /** S04. */
  work(work: Work): void {
    if (this.#isOver) return;
    try {
      work(this.#view);
    } catch (error) {
      this.#stop();
      throw error;
    }
  }

  /** What an operation is, once and for all. */
  #learn(op: Op): Ready {
    const instruction = this.#attempt(() => this.#resolve(op));
    const long = (): number => this.#attempt(() => this.#performLong(op, instruction));
    const short = this.#mayEnd ? null : shortWay(instruction, this.#around, long);
    const known = new Known(this, short ?? new ReadyLong(long));
    op.resolved = known;
    return known.ready;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#stop();
      throw error;
    }
  }

  /** From here on the role only leaves its blocks: what they release is not performed. */
  #stop(): void {
    this.#isOver = true;
    this.#progress.goesLong = true;
    this.#progress.settle(false);
    this.#onStop();
  }

  #performLong(op: Op, instruction: Instruction): number {
    if (this.#isOver) return 0;
    const answer = this.#perform(op, instruction);
    this.#progress.goesLong = this.#failedTry !== null;
    this.#progress.settle(this.#recorder.isOn);
    return answer;
  }

  #resolve(op: Op): Instruction {
    // An operation of the module may be known to a performer of an earlier run.
    op.resolved = null;
    const misuse = misuseOf(op);
    if (misuse !== null) throw new RuleBroken(misuse.rule);
    return this.#resolver.resolve(op, this.#role);
  }

  #perform(op: Op, instruction: Instruction): number {
    if (op.kind === OpKind.step) return this.#step(instruction);
    if (op.kind === OpKind.waitStage) {
      this.#failedTry = null;
      return this.#waitStage(instruction);
    }
    if (IS_SILENT[op.kind] === 1) return this.#silent(op, instruction);
    const failed = this.#failedTry;
    this.#failedTry = null;
    switch (op.kind) {
      case OpKind.wait:
      case OpKind.waitParity: {
        const begin = this.#recorder.begin();
        this.#reach(instruction.target, instruction);
        this.#waitPhase(instruction.target, instruction.value, op.kind === OpKind.wait);
        return this.#done(instruction, 0, begin);
      }
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return this.#try(instruction, failed);
      case OpKind.arrive:
      case OpKind.expectTx:
      case OpKind.completeTx:
      case OpKind.arriveDrop:
      case OpKind.init:
      case OpKind.invalidate:
        return this.#onBarriers(instruction);
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        return this.#launch(op, instruction);
      case OpKind.choose:
        this.#seed = nextRandom(this.#seed);
        return this.#done(instruction, (this.#seed >>> 8) % op.count, this.#recorder.begin());
      case OpKind.read:
      case OpKind.write:
        return this.#access(instruction);
      case OpKind.store:
      case OpKind.load:
      case OpKind.fetchAdd: {
        const begin = this.#recorder.begin();
        if (op.kind === OpKind.load) this.#countPoll();
        return this.#done(instruction, this.#rare.onCell(instruction), begin);
      }
      // Every flight lands as it is issued: no group stays open.
      case OpKind.waitGroup:
        return this.#done(instruction, 0, this.#recorder.begin());
      case OpKind.spawn:
      case OpKind.join:
        return this.#lives(instruction);
      default:
        return this.#rarely(instruction);
    }
  }

  /** P10: what nobody else can see. */
  #silent(op: Op, instruction: Instruction): number {
    switch (op.kind) {
      case OpKind.more: {
        const { total } = this.#program.declarations.counts[instruction.target]!;
        if (this.#progress.counts[instruction.target]! >= total) return 0;
        this.#progress.counts[instruction.target]! += 1;
        return 1;
      }
      case OpKind.stage:
        return this.#progress.registers[instruction.target * 2 + instruction.value]!.stage;
      default:
        return 0;
    }
  }

  /** R03, R10. */
  #step({ target, value, count }: Instruction): number {
    const register = this.#progress.registers[target * 2 + value]!;
    if (count > 0 && register.stage !== count - 1) throw new RuleBroken('release-order');
    register.step();
    return 0;
  }

  /** R02, R08. */
  #waitStage(instruction: Instruction): number {
    const { target, value, count, cta } = instruction;
    const begin = this.#recorder.begin();
    const register = target * 2 + value;
    const { stage, lap } = this.#progress.registers[register]!;
    const isConsumer = value === Side.consume;
    const declared = this.#around.ringBarriers[register]![stage]!;
    const barrier = declared * this.#around.ctas + cta;
    if (this.#mayEnd || this.#words[Global.endings] !== 0) this.#reach(barrier, instruction);
    if (count !== ASSUMED) {
      const phase = lap - (isConsumer ? 0 : 1);
      this.#sleeper.waitPhase(barrier, phase, this.#around.isCounter[declared] === 1);
    }
    if (count !== DRAINING) this.#progress.taken[register]! += 1;
    return this.#done(instruction, stage, begin);
  }

  #waitPhase(barrier: number, phase: number, isAbsolute: boolean): void {
    const declared = Math.floor(barrier / this.#program.ctas);
    this.#sleeper.waitPhase(barrier, phase, isAbsolute && this.#around.isCounter[declared] === 1);
  }

  /** M08, R05, P07: a try that has just failed waits until it can say yes. */
  #try(instruction: Instruction, failed: Instruction | null): number {
    const begin = this.#recorder.begin();
    const isRetry = failed === instruction && this.#failedIn === this.#stretch();
    const isClaim = instruction.kind === OpKind.tryClaim;
    const answer = isClaim
      ? this.#claim(instruction, isRetry)
      : this.#tryPhase(instruction, isRetry);
    const no = isClaim ? -1 : 0;
    if (answer === no) {
      this.#countPoll();
      this.#failedTry = instruction;
      this.#failedIn = this.#stretch();
    }
    return this.#done(instruction, answer, begin);
  }

  /**
   * A role that looks and looks may do so for ever: {@link Watch} wants to know. No wait would tell
   * it that the run is over, and until its thread is ended it would fill its trace.
   */
  #countPoll(): void {
    if ((Atomics.load(this.#words, Global.event) & POISON) !== 0) throw new RunOver();
    this.#words[this.#plan.role(this.#role) + RoleWord.polls]! += 1;
  }

  #tryPhase({ kind, target, value, cta }: Instruction, isRetry: boolean): number {
    let [barrier, phase] = [target, value];
    if (kind === OpKind.tryWaitStage) {
      const register = target * 2 + value;
      const ring = this.#program.declarations.rings[target]!;
      const { stage, lap } = this.#progress.registers[register]!;
      const isConsumer = value === Side.consume;
      barrier = (isConsumer ? ring.full : ring.empty)[stage]! * this.#program.ctas + cta;
      phase = lap - (isConsumer ? 0 : 1);
    }
    const isCounter = this.#around.isCounter[Math.floor(barrier / this.#program.ctas)] === 1;
    if (!isRetry) return Number(this.#sleeper.tryPhase(barrier, phase, isCounter, TRY_MS));
    this.#sleeper.waitPhase(barrier, phase, isCounter);
    return 1;
  }

  /** R05: takes the next stage of the shared register, if it is full. */
  #claim({ target, cta }: Instruction, isRetry: boolean): number {
    const { stages, full } = this.#program.declarations.rings[target]!;
    const at = this.#plan.claim(target, cta);
    for (;;) {
      const seen = Atomics.load(this.#words, at);
      const [stage, lap] = [seen & 0xffff, seen >>> 16];
      const barrier = full[stage]! * this.#program.ctas + cta;
      if (!this.#sleeper.tryPhase(barrier, lap, false, isRetry ? CLAIM_MS : TRY_MS)) {
        if (isRetry) continue;
        return -1;
      }
      const next = stage + 1 === stages ? ((lap + 1) & 0xffff) << 16 : seen + 1;
      if (Atomics.compareExchange(this.#words, at, seen, next) !== seen) continue;
      this.#progress.taken[target * 2 + Side.consume]! += 1;
      return stage;
    }
  }

  #onBarriers(instruction: Instruction): number {
    const { kind } = instruction;
    const begin = this.#recorder.begin();
    if (instruction.kind === OpKind.invalidate) Atomics.store(this.#words, Global.endings, 1);
    for (let index = 0; index < instruction.barriers.length; index++) {
      const barrier = instruction.barriers[index]!;
      const mayEnd = this.#mayEnd || this.#words[Global.endings] !== 0;
      if (mayEnd) this.#reach(barrier, instruction, begin);
      const at = this.#plan.barrier(barrier);
      const { count, bytes, value } = instruction;
      let outcome: Outcome;
      if (kind === OpKind.arrive) {
        outcome = barriers.arrive(this.#words, at, count, value, bytes);
      } else if (kind === OpKind.expectTx) outcome = barriers.addBytes(this.#words, at, bytes);
      else if (kind === OpKind.completeTx) outcome = barriers.addBytes(this.#words, at, -bytes);
      else if (kind === OpKind.arriveDrop) outcome = barriers.arriveDrop(this.#words, at, count);
      else if (kind === OpKind.init) outcome = barriers.init(this.#words, at, count);
      else outcome = barriers.invalidate(this.#words, at);
      this.#requireDone(instruction, outcome, begin);
    }
    return this.#done(instruction, 0, begin);
  }

  /** U01–U03: flights land at once, in the order of their issue, which every unit allows. */
  #launch(op: Op, instruction: Instruction): number {
    const begin = this.#recorder.begin();
    (op.detail as Work | null)?.(this.#view);
    for (const id of instruction.flights) {
      this.#requireDone(instruction, this.#land(this.#plan.machine.flights.flights[id]!), begin);
    }
    return this.#done(instruction, 0, begin);
  }

  #land(flight: Flight): Outcome {
    if (flight.cell >= 0) this.#rare.setCell(flight.cell, flight.value);
    for (const buffer of flight.reads) this.#rare.touch(buffer, flight.cta);
    for (const buffer of flight.writes) this.#rare.touch(buffer, flight.cta);
    if (flight.barrier < 0 || flight.kind === FlightKind.group) return Outcome.done;
    if (!this.#rare.isAlive(flight.barrier % this.#program.ctas, flight.cta)) {
      return Outcome.invalid;
    }
    const at = this.#plan.barrier(flight.barrier);
    if (flight.kind === FlightKind.signal) return barriers.arrive(this.#words, at, 1, 1, 0);
    return barriers.addBytes(this.#words, at, -flight.bytes);
  }

  /** S01: the access itself is done by work; here it is only seen whether it may be. */
  #access(instruction: Instruction): number {
    const { reads, writes, cta } = instruction;
    const begin = this.#recorder.begin();
    for (const buffer of reads) this.#rare.touch(buffer, cta);
    for (const buffer of writes) this.#rare.touch(buffer, cta);
    const { fault } = this.#plan.machine;
    this.#done(instruction, 0, begin);
    if (fault !== Fault.none) throw new RuleBroken(FAULT_RULES[fault]);
    return 0;
  }

  /** L01. */
  #lives(instruction: Instruction): number {
    const { target } = instruction;
    const begin = this.#recorder.begin();
    const status = this.#plan.role(target) + RoleWord.status;
    const words = this.#words;
    if (instruction.kind === OpKind.join) {
      this.#rare.wait(() => Atomics.load(words, status) >>> PHASE_SHIFT === Status.ended);
    } else {
      const { waiting, running } = Status;
      Atomics.compareExchange(words, status, waiting * STATUS_STEP, running * STATUS_STEP);
      Atomics.notify(words, status);
    }
    return this.#done(instruction, 0, begin);
  }

  #rarely(instruction: Instruction): number {
    if (instruction.kind === OpKind.exit) Atomics.store(this.#words, Global.endings, 1);
    let begin = this.#recorder.begin();
    const { machine } = this.#plan;
    const answer = this.#rare.perform(instruction, (given) => {
      this.#recorder.record(instruction, given, begin);
      begin = this.#recorder.begin();
    });
    if (machine.fault !== Fault.none) throw new RuleBroken(FAULT_RULES[machine.fault]);
    return answer;
  }

  /**
   * L02, M02: throws where a barrier can not be reached. An operation that is not a wait has been
   * made then.
   */
  #reach(barrier: number, instruction: Instruction, begin = -1): void {
    const life = barriers.lifeOf(this.#words, this.#plan.barrier(barrier));
    const isAlive = this.#rare.isAlive(barrier % this.#program.ctas, instruction.cta);
    const mayBeDead = instruction.kind === OpKind.init;
    if (isAlive && (mayBeDead || life === Outcome.done)) return;
    if (begin >= 0) this.#recorder.record(instruction, 0, begin);
    throw new RuleBroken(isAlive ? OUTCOME_RULES[life as 3 | 4] : 'missing-drain');
  }

  #requireDone(instruction: Instruction, outcome: Outcome, begin: number): void {
    if (outcome !== Outcome.done) this.#refuse(instruction, outcome, begin);
  }

  #refuse(instruction: Instruction, outcome: Outcome, begin: number): never {
    if (outcome === Outcome.poisoned) throw new RunOver();
    this.#recorder.record(instruction, 0, begin);
    throw new RuleBroken(OUTCOME_RULES[outcome as Exclude<Outcome, 0 | 1>]);
  }

  #done(instruction: Instruction, answer: number, begin: number): number {
    if (this.#recorder.isOn) this.#recorder.record(instruction, answer, begin);
    return answer;
  }

  /** The role has run its last operation. */
  end(): void {
    invariant(!this.#isOver, 'a role that was stopped does not end');
    this.#sleeper.debts?.pay();
    const status = this.#plan.role(this.#role) + RoleWord.status;
    this.#rare.change((machine, state) => {
      machine.fault = Fault.none;
      machine.endRole(state, this.#role);
      Atomics.add(this.#words, status, (Status.ended - Status.running) * STATUS_STEP);
    });
    if (this.#plan.machine.fault !== Fault.none) throw new RuleBroken('divergent-exit');
  }
}

const CLAIM_MS = 50;
