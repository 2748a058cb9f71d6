// The asynchronous units of an SM: its copy engine and its tensor cores.
import { type Flight, FlightKind } from '@poundlock/core/internal/machine';
import type { Launch } from '@poundlock/core/internal/program';
import { CopyEngine } from './copy-engine.ts';
import type { Costs } from './model.ts';
import type { Random } from './random.ts';
import { TensorCore } from './tensor-core.ts';

/** Computes when the operations that roles issue to units complete. Times are in cycles. */
export class Units {
  readonly #costs: Costs;
  readonly #copies: CopyEngine;
  /** By unit that completes in order. */
  readonly #cores = new Map<number, TensorCore>();
  /** [0] is when the flight that was issued last completes. */
  readonly completion = new Float64Array(1);

  constructor(costs: Costs, launch: Launch, random: Random) {
    this.#costs = costs;
    this.#copies = new CopyEngine(costs, launch, random);
  }

  /** Issues a flight of a role at `now[0]` and writes its end to {@link completion}. */
  issue(now: Float64Array, role: number, flight: Flight): void {
    const { completion } = this;
    if (flight.kind === FlightKind.copy) return this.#copies.issue(now, flight.bytes, completion);
    const core = this.#core(flight.unit);
    completion[0] =
      flight.kind === FlightKind.signal
        ? Math.max(now[0]!, core.doneAt(role))
        : core.issue(now[0]!, role, flight.cycles || this.#costs.mmaDefaultCycles);
  }

  /** When a role can issue one more instruction to a unit. */
  roomAt(unit: number, role: number): number {
    return this.#core(unit).roomAt(role);
  }

  #core(unit: number): TensorCore {
    const known = this.#cores.get(unit) ?? new TensorCore(this.#costs);
    this.#cores.set(unit, known);
    return known;
  }
}
