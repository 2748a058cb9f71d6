// Barrier waits of a role: blocking waits, and tries with a short timeout.
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind, Side } from '@poundlock/core/internal/op';
import { POISON } from '@poundlock/ring/internal';
import { Global, RoleWord } from './plan.ts';
import type { TargetChecks } from './target-checks.ts';
import { RunOver } from './stop.ts';
import type { RoleEnvironment } from './role-environment.ts';

/** How long a try waits for its phase before it fails, as on hardware. */
const TRY_MS = 0.2;
/** The same for a claim that is retried until it succeeds. */
const CLAIM_MS = 50;

/** The waits of one role. */
export class Waits {
  readonly #environment: RoleEnvironment;
  readonly #targets: TargetChecks;
  /** P07: the try that has just failed, the round it failed in, and how often in a row. */
  #failed: Instruction | null = null;
  #failedIn = -1;
  #misses = 0;

  constructor(environment: RoleEnvironment, targets: TargetChecks) {
    this.#environment = environment;
    this.#targets = targets;
  }

  /** Whether the role's last operation was a try that failed. */
  get hasFailed(): boolean {
    return this.#failed !== null;
  }

  /** The role does something other than retrying. */
  forget(): void {
    this.#failed = null;
  }

  /** M07, M10. */
  phase(instruction: Instruction): number {
    const { recorder, ctas, isCounter, waiter } = this.#environment;
    const { target, kind } = instruction;
    const begin = recorder.begin();
    this.#targets.require(target, instruction);
    if (kind === OpKind.waitParity) waiter.waitPhase(target, instruction.parity, false);
    else {
      const counts = isCounter[Math.floor(target / ctas)] === 1;
      waiter.waitPhase(target, instruction.phase, counts);
    }
    return recorder.record(instruction, 0, begin);
  }

  /** R02, R08. */
  stage(instruction: Instruction): number {
    const { recorder, progress, waiter, isCounter, ctas } = this.#environment;
    const { target, side, isAssumed, isDraining } = instruction;
    const begin = recorder.begin();
    const register = target * 2 + side;
    const { stage } = progress.registers[register]!;
    const [barrier, phase] = this.#barrierOf(instruction);
    this.#targets.requireIfEnding(barrier, instruction);
    if (!isAssumed) {
      waiter.sides[side] = true;
      waiter.waitPhase(barrier, phase, isCounter[Math.floor(barrier / ctas)] === 1);
    }
    if (!isDraining) progress.taken[register]! += 1;
    return recorder.record(instruction, stage, begin);
  }

  /** The barrier and the phase of a register's current stage. */
  #barrierOf({ target, side, cta }: Instruction): [barrier: number, phase: number] {
    const { progress, ringBarriers, ctas } = this.#environment;
    const register = target * 2 + side;
    const { stage, lap } = progress.registers[register]!;
    const barrier = ringBarriers[register]![stage]! * ctas + cta;
    return [barrier, lap - (side === Side.consume ? 0 : 1)];
  }

  /** M08, R05, P07: a try; after a long row of failures it waits until it can succeed. */
  try(instruction: Instruction): number {
    const { recorder, stretch, program } = this.#environment;
    const begin = recorder.begin();
    const isRow = this.#failed === instruction && this.#failedIn === stretch();
    const isRetry = isRow && this.#misses >= program.rows.most;
    this.#failed = null;
    const isClaim = instruction.kind === OpKind.tryClaim;
    const answer = isClaim
      ? this.#claim(instruction, isRetry)
      : this.#tryPhase(instruction, isRetry);
    const no = isClaim ? -1 : 0;
    if (answer === no) {
      this.countPoll();
      this.#failed = instruction;
      this.#failedIn = stretch();
      this.#misses = isRow ? this.#misses + 1 : 1;
    }
    return recorder.record(instruction, answer, begin);
  }

  /**
   * Counts polls, because a polling role may never end: see {@link Watch}. Throws if the run is
   * over: a polling role has no wait that would end it, and would go on to fill its trace.
   */
  countPoll(): void {
    const { words, plan, role } = this.#environment;
    if ((Atomics.load(words, Global.event) & POISON) !== 0) throw new RunOver();
    words[plan.role(role) + RoleWord.polls]! += 1;
  }

  #tryPhase(instruction: Instruction, isRetry: boolean): number {
    const { ctas, isCounter, waiter } = this.#environment;
    const { kind, target, phase: wanted } = instruction;
    const isOfStage = kind === OpKind.tryWaitStage;
    const [barrier, phase] = isOfStage ? this.#barrierOf(instruction) : [target, wanted];
    const counts = isCounter[Math.floor(barrier / ctas)] === 1;
    if (!isRetry) return Number(waiter.tryPhase(barrier, phase, counts, TRY_MS));
    waiter.waitPhase(barrier, phase, counts);
    return 1;
  }

  /** R05: claims the next stage of the shared register if it is full. */
  #claim({ target, cta }: Instruction, isRetry: boolean): number {
    const { plan, words, program, ctas, waiter, progress } = this.#environment;
    const { stages, full } = program.declarations.rings[target]!;
    const at = plan.claim(target, cta);
    for (;;) {
      const seen = Atomics.load(words, at);
      const [stage, lap] = [seen & 0xffff, seen >>> 16];
      const barrier = full[stage]! * ctas + cta;
      if (!waiter.tryPhase(barrier, lap, false, isRetry ? CLAIM_MS : TRY_MS)) {
        if (isRetry) continue;
        return -1;
      }
      const next = stage + 1 === stages ? ((lap + 1) & 0xffff) << 16 : seen + 1;
      if (Atomics.compareExchange(words, at, seen, next) !== seen) continue;
      progress.taken[target * 2 + Side.consume]! += 1;
      return stage;
    }
  }
}
