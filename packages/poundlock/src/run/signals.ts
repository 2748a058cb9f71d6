// Operations of a role that change barriers, directly or through asynchronous flights.
import { unreachable } from '@poundlock/core/internal/base';
import { FlightKind, type Flight, type Instruction } from '@poundlock/core/internal/machine';
import { OpKind, type SignalKind } from '@poundlock/core/internal/op';
import { outsideProgram, type Work } from '@poundlock/core/internal/program';
import { barriers, BarrierResult } from '@poundlock/ring/internal';
import { Global } from './plan.ts';
import type { TargetChecks } from './target-checks.ts';
import type { RoleEnvironment } from './role-environment.ts';

/** Operations that change a barrier immediately. */
type ImmediateKind = Exclude<SignalKind, typeof OpKind.asyncCopy | typeof OpKind.commit>;

/** The signals of one role. */
export class Signals {
  readonly #environment: RoleEnvironment;
  readonly #targets: TargetChecks;

  constructor(environment: RoleEnvironment, targets: TargetChecks) {
    this.#environment = environment;
    this.#targets = targets;
  }

  /** M01–M05, on each barrier of an instruction. */
  perform(kind: ImmediateKind, instruction: Instruction): number {
    const { recorder, words } = this.#environment;
    const begin = recorder.begin();
    if (kind === OpKind.invalidate) Atomics.store(words, Global.endings, 1);
    for (const [index, barrier] of instruction.barriers.entries()) {
      this.#targets.requireIfEnding(barrier, instruction, begin);
      this.#targets.requireDone(
        instruction,
        this.#change(barrier, kind, instruction),
        begin,
        index > 0,
      );
    }
    return recorder.record(instruction, 0, begin);
  }

  #change(barrier: number, kind: ImmediateKind, instruction: Instruction): BarrierResult {
    const { arrivals, bytes, lanes } = instruction;
    const { words, plan } = this.#environment;
    const at = plan.barrier(barrier);
    switch (kind) {
      case OpKind.arrive:
        return barriers.arrive(words, at, arrivals, lanes, bytes);
      case OpKind.expectTx:
        return barriers.addBytes(words, at, bytes);
      case OpKind.completeTx:
        return barriers.addBytes(words, at, -bytes);
      case OpKind.arriveDrop:
        return barriers.arriveDrop(words, at, arrivals);
      case OpKind.init:
        return barriers.init(words, at, arrivals);
      case OpKind.invalidate:
        return barriers.invalidate(words, at);
      default:
        return unreachable(kind);
    }
  }

  /** U01–U03: flights complete immediately, in the order of issue, which every unit allows. */
  launch(work: Work | null, instruction: Instruction): number {
    const { recorder, view, plan } = this.#environment;
    const begin = recorder.begin();
    if (work !== null) outsideProgram(() => work(view));
    for (const id of instruction.flights) {
      const isAdded = instruction.arrivals > 0;
      const result = this.#complete(plan.machine.flights.flights[id]!, isAdded);
      this.#targets.requireDone(instruction, result, begin, true);
    }
    return recorder.record(instruction, 0, begin);
  }

  /** `isAdded`: the phase waits for this arrival beside others, and it comes at once (U08). */
  #complete(flight: Flight, isAdded: boolean): BarrierResult {
    const { locked, words, plan, ctas } = this.#environment;
    if (flight.cell >= 0) locked.setCell(flight.cell, flight.value);
    for (const buffer of flight.reads) locked.touch(buffer, flight.cta);
    for (const buffer of flight.writes) locked.touch(buffer, flight.cta);
    if (flight.barrier < 0 || flight.kind === FlightKind.group) return BarrierResult.done;
    if (!locked.isAlive(flight.barrier % ctas, flight.cta)) return BarrierResult.invalid;
    const at = plan.barrier(flight.barrier);
    if (isAdded) return barriers.addBytes(words, at, 0);
    if (flight.kind === FlightKind.signal) return barriers.arrive(words, at, 1, 1, 0);
    return barriers.addBytes(words, at, -flight.bytes);
  }
}
