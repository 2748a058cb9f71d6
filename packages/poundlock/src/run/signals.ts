// What a role does to barriers, by itself or by what it launches.
import { FlightKind, type Flight, type Instruction } from '@poundlock/core/internal/machine';
import { OpKind, type Op } from '@poundlock/core/internal/op';
import type { Work } from '@poundlock/core/internal/program';
import { barriers, Outcome } from '@poundlock/ring/internal';
import { Global } from './plan.ts';
import type { TargetChecks } from './target-checks.ts';
import type { Surroundings } from './role-environment.ts';

/** One role's signals. */
export class Signals {
  readonly #around: Surroundings;
  readonly #reach: TargetChecks;

  constructor(around: Surroundings, reach: TargetChecks) {
    this.#around = around;
    this.#reach = reach;
  }

  /** M01–M05, on each barrier that an instruction reaches. */
  make(instruction: Instruction): number {
    const { recorder, words } = this.#around;
    const begin = recorder.begin();
    if (instruction.kind === OpKind.invalidate) Atomics.store(words, Global.endings, 1);
    for (const [index, barrier] of instruction.barriers.entries()) {
      this.#reach.requireIfEnding(barrier, instruction, begin);
      this.#reach.requireDone(instruction, this.#change(barrier, instruction), begin, index > 0);
    }
    return recorder.record(instruction, 0, begin);
  }

  #change(barrier: number, { kind, count, bytes, value }: Instruction): Outcome {
    const { words, plan } = this.#around;
    const at = plan.barrier(barrier);
    switch (kind) {
      case OpKind.arrive:
        return barriers.arrive(words, at, count, value, bytes);
      case OpKind.expectTx:
        return barriers.addBytes(words, at, bytes);
      case OpKind.completeTx:
        return barriers.addBytes(words, at, -bytes);
      case OpKind.arriveDrop:
        return barriers.arriveDrop(words, at, count);
      case OpKind.init:
        return barriers.init(words, at, count);
      default:
        return barriers.invalidate(words, at);
    }
  }

  /** U01–U03: flights land at once, in the order of their issue, which every unit allows. */
  launch(op: Op, instruction: Instruction): number {
    const { recorder, view, plan } = this.#around;
    const begin = recorder.begin();
    (op.detail as Work | null)?.(view);
    for (const id of instruction.flights) {
      const landed = this.#land(plan.machine.flights.flights[id]!);
      this.#reach.requireDone(instruction, landed, begin, true);
    }
    return recorder.record(instruction, 0, begin);
  }

  #land(flight: Flight): Outcome {
    const { rare, words, plan, ctas } = this.#around;
    if (flight.cell >= 0) rare.setCell(flight.cell, flight.value);
    for (const buffer of flight.reads) rare.touch(buffer, flight.cta);
    for (const buffer of flight.writes) rare.touch(buffer, flight.cta);
    if (flight.barrier < 0 || flight.kind === FlightKind.group) return Outcome.done;
    if (!rare.isAlive(flight.barrier % ctas, flight.cta)) return Outcome.invalid;
    const at = plan.barrier(flight.barrier);
    if (flight.kind === FlightKind.signal) return barriers.arrive(words, at, 1, 1, 0);
    return barriers.addBytes(words, at, -flight.bytes);
  }
}
