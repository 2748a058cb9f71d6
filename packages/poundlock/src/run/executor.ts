// Executes the operations of one role with Atomics, following docs/reference/semantics.md.
import { invariant, InvariantError, unreachable } from '@poundlock/core/internal/base';
import { Fault, type Instruction } from '@poundlock/core/internal/machine';
import { isSilent, isTry, OpKind, type CellKind, type Op } from '@poundlock/core/internal/op';
import { misuseOf, type Executor, type CompiledOp } from '@poundlock/core/internal/program';
import { outsideProgram, type Resolver, type Work } from '@poundlock/core/internal/program';
import { PHASE_SHIFT } from '@poundlock/ring/internal';
import { FAULT_RULES } from '@poundlock/core/internal/system';
import { Global, RoleWord, RoleStatus, STATUS_STEP } from './plan.ts';
import type { Register } from './progress.ts';
import { TargetChecks } from './target-checks.ts';
import { SlowOp, fastPath } from './fast-path.ts';
import { Signals } from './signals.ts';
import { RuleBroken } from './stop.ts';
import type { RoleEnvironment } from './role-environment.ts';
import { Waits } from './waits.ts';

/** The compiled operation that one executor caches in {@link Op.resolved}. */
class ResolvedOp {
  readonly owner: RoleExecutor;
  readonly ready: CompiledOp;
  constructor(owner: RoleExecutor, ready: CompiledOp) {
    this.owner = owner;
    this.ready = ready;
  }
}

/** Every operation after the role has stopped, while its blocks are unwound. */
const NO_OP: CompiledOp = { run: () => 0 };

/** A linear congruential generator for `choose`. */
function nextRandom(seed: number): number {
  return (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
}

/** Options of an executor beside the environment of its role. */
export interface ExecutorOptions {
  readonly resolver: Resolver;
  readonly seed: number;
  /** Called when an operation throws, before the blocks of the role are unwound. */
  readonly onStop: () => void;
}

/** One role's operations on the shared memory of a run. */
export class RoleExecutor implements Executor {
  readonly #environment: RoleEnvironment;
  readonly #resolver: Resolver;
  readonly #waits: Waits;
  readonly #signals: Signals;
  readonly #onStop: () => void;
  #seed: number;
  /** Whether the role has stopped: operations have no effect while its blocks are unwound. */
  #isOver = false;

  constructor(environment: RoleEnvironment, { resolver, seed, onStop }: ExecutorOptions) {
    const targets = new TargetChecks(environment);
    this.#environment = environment;
    this.#resolver = resolver;
    this.#waits = new Waits(environment, targets);
    this.#signals = new Signals(environment, targets);
    this.#onStop = onStop;
    this.#seed = nextRandom(seed ^ (environment.role * 0x9e3779b1));
  }

  /** Performs an operation and returns its result. Blocks while the operation waits. */
  perform(op: Op): number {
    return this.compile(op).run();
  }

  compile(op: Op): CompiledOp {
    const resolved = op.resolved as ResolvedOp | null;
    if (resolved !== null && resolved.owner === this) return resolved.ready;
    return this.#isOver ? NO_OP : this.#compile(op);
  }

  /** S04. */
  work(work: Work): void {
    if (this.#isOver) return;
    try {
      outsideProgram(() => work(this.#environment.view));
    } catch (error) {
      this.#stop();
      throw error;
    }
  }

  /** Compiles an operation and caches the result in it. */
  #compile(op: Op): CompiledOp {
    const instruction = this.#attempt(() => this.#resolve(op));
    const slow = (): number => this.#attempt(() => this.#performSlow(op, instruction));
    const fast = this.#environment.mayEnd ? null : fastPath(instruction, this.#environment, slow);
    const resolved = new ResolvedOp(this, fast ?? new SlowOp(slow));
    op.resolved = resolved;
    return resolved.ready;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#stop();
      throw error;
    }
  }

  /** The role only unwinds its blocks from here on: their releases have no effect. */
  #stop(): void {
    this.#isOver = true;
    const { progress } = this.#environment;
    progress.usesSlowPath = true;
    progress.settle(false);
    this.#onStop();
  }

  #performSlow(op: Op, instruction: Instruction): number {
    if (this.#isOver) return 0;
    const answer = this.#perform(op, instruction);
    const { progress, recorder } = this.#environment;
    progress.usesSlowPath = this.#waits.hasFailed;
    progress.settle(recorder.isOn);
    return answer;
  }

  #resolve(op: Op): Instruction {
    // An operation of the module may be cached by an executor of an earlier run.
    op.resolved = null;
    const misuse = misuseOf(op);
    if (misuse !== null) throw new RuleBroken(misuse.rule);
    return this.#resolver.resolve(op, this.#environment.role);
  }

  #perform(op: Op, instruction: Instruction): number {
    const { kind, args } = op;
    if (!isSilent(kind) && !isTry(kind)) this.#waits.forget();
    switch (kind) {
      case OpKind.step:
        return this.#step(instruction);
      case OpKind.more:
        return this.#more(instruction);
      case OpKind.stage:
        return this.#register(instruction).stage;
      // S03; {@link work} does the work of `compute`.
      case OpKind.fence:
      case OpKind.compute:
        return 0;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return this.#waits.try(instruction);
      case OpKind.waitStage:
        return this.#waits.stage(instruction);
      case OpKind.wait:
      case OpKind.waitParity:
        return this.#waits.phase(instruction);
      case OpKind.arrive:
      case OpKind.expectTx:
      case OpKind.completeTx:
      case OpKind.arriveDrop:
      case OpKind.init:
      case OpKind.invalidate:
        return this.#signals.perform(kind, instruction);
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
        return this.#signals.launch(args.work as Work | null, instruction);
      case OpKind.commit:
        return this.#signals.launch(null, instruction);
      case OpKind.choose:
        return this.#choose(instruction);
      case OpKind.read:
      case OpKind.write:
        return this.#access(instruction);
      case OpKind.store:
      case OpKind.load:
      case OpKind.fetchAdd:
        return this.#onCell(kind, instruction);
      // Every flight completes as it is issued: no group stays open.
      case OpKind.waitGroup:
        return this.#environment.recorder.record(
          instruction,
          0,
          this.#environment.recorder.begin(),
        );
      case OpKind.spawn:
      case OpKind.join:
        return this.#spawnOrJoin(instruction);
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
      case OpKind.syncCluster:
      case OpKind.arriveCluster:
      case OpKind.waitCluster:
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
      case OpKind.launchDependents:
      case OpKind.waitGrids:
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
      case OpKind.exit:
        return this.#performLocked(instruction);
      case OpKind.own:
      case OpKind.use:
      case OpKind.disown:
      case OpKind.loop:
        throw new InvariantError('ghost operations and loops are not performed');
      default:
        return unreachable(kind);
    }
  }

  #choose(instruction: Instruction): number {
    const { recorder } = this.#environment;
    this.#seed = nextRandom(this.#seed);
    const answer = (this.#seed >>> 8) % instruction.choices;
    return recorder.record(instruction, answer, recorder.begin());
  }

  /** C01. */
  #onCell(kind: CellKind, instruction: Instruction): number {
    const { recorder, locked } = this.#environment;
    const begin = recorder.begin();
    if (kind === OpKind.load) this.#waits.countPoll();
    return recorder.record(instruction, locked.onCell(kind, instruction), begin);
  }

  /** P05, P10: as in `Registers.pass`, on counts that belong to this thread. */
  #more({ target }: Instruction): number {
    const { progress, totals } = this.#environment;
    if (progress.counts[target]! >= totals[target]!) return 0;
    progress.counts[target]! += 1;
    return 1;
  }

  #register({ target, side }: Instruction): Register {
    return this.#environment.progress.registers[target * 2 + side]!;
  }

  /** R03, R10. */
  #step(instruction: Instruction): number {
    const register = this.#register(instruction);
    const { past } = instruction;
    if (past >= 0 && register.stage !== past) throw new RuleBroken('release-order');
    register.step();
    return 0;
  }

  /** S01: checks whether the access is allowed; the work does the access itself. */
  #access(instruction: Instruction): number {
    const { recorder, locked, plan } = this.#environment;
    const { reads, writes, cta } = instruction;
    const begin = recorder.begin();
    for (const buffer of reads) locked.touch(buffer, cta);
    for (const buffer of writes) locked.touch(buffer, cta);
    const { fault } = plan.machine;
    recorder.record(instruction, 0, begin);
    if (fault !== Fault.none) throw new RuleBroken(FAULT_RULES[fault]);
    return 0;
  }

  /** L01. */
  #spawnOrJoin(instruction: Instruction): number {
    const { recorder, locked, plan, words } = this.#environment;
    const begin = recorder.begin();
    const status = plan.role(instruction.target) + RoleWord.status;
    if (instruction.kind === OpKind.join) {
      locked.wait(() => Atomics.load(words, status) >>> PHASE_SHIFT === RoleStatus.ended);
    } else {
      const { waiting, running } = RoleStatus;
      Atomics.compareExchange(words, status, waiting * STATUS_STEP, running * STATUS_STEP);
      Atomics.notify(words, status);
    }
    return recorder.record(instruction, 0, begin);
  }

  #performLocked(instruction: Instruction): number {
    const { recorder, locked, plan, words } = this.#environment;
    if (instruction.kind === OpKind.exit) Atomics.store(words, Global.endings, 1);
    let begin = recorder.begin();
    const answer = locked.perform(instruction, (partial) => {
      recorder.record(instruction, partial, begin);
      begin = recorder.begin();
    });
    const { fault } = plan.machine;
    if (fault !== Fault.none) throw new RuleBroken(FAULT_RULES[fault]);
    return answer;
  }

  /** Ends the role after its last operation. */
  end(): void {
    invariant(!this.#isOver, 'a role that was stopped does not end');
    const { waiter, plan, locked, words, role } = this.#environment;
    waiter.deferred?.flush();
    const status = plan.role(role) + RoleWord.status;
    locked.change((machine, state) => {
      machine.endRole(state, role);
      Atomics.add(words, status, (RoleStatus.ended - RoleStatus.running) * STATUS_STEP);
    });
    if (plan.machine.fault !== Fault.none) throw new RuleBroken('divergent-exit');
  }
}
