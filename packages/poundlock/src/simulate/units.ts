// The units of an SM that work by themselves: its copy engine and its tensor cores.
import { type Flight, FlightKind } from '@poundlock/core/internal/machine';
import type { Launch } from '@poundlock/core/internal/program';
import { CopyEngine } from './copy-engine.ts';
import type { Costs } from './model.ts';
import type { Random } from './random.ts';
import { TensorCore } from './tensor-core.ts';

/** Says when what roles issue is done, unit by unit. Times are cycles. */
export class Units {
  readonly #costs: Costs;
  readonly #copies: CopyEngine;
  /** By unit that lands in order. */
  readonly #cores = new Map<number, TensorCore>();
  /** At [0] when the flight lands that was taken last. */
  readonly completion = new Float64Array(1);

  constructor(costs: Costs, launch: Launch, random: Random) {
    this.#costs = costs;
    this.#copies = new CopyEngine(costs, launch, random);
  }

  /** Takes a flight that a role issues at `now[0]`, and writes to {@link completion}. */
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
