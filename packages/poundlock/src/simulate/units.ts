// The asynchronous units of each CTA, which has an SM of its own: copy engine and tensor cores.
import { type Flight, FlightKind } from '@poundlock/core/internal/machine';
import type { Launch, Role } from '@poundlock/core/internal/program';
import { CopyEngine } from './copy-engine.ts';
import type { Costs } from './model.ts';
import type { Random } from './random.ts';
import { TensorCore } from './tensor-core.ts';

/**
 * Computes when the operations that roles issue to units complete. Times are in cycles. A role uses
 * the units of its own CTA; those of another CTA work at the same time.
 */
export class Units {
  readonly #costs: Costs;
  /** By role: the copy engine of its CTA. */
  readonly #copies: readonly CopyEngine[];
  /** By role, the CTA; by CTA and unit that completes in order, its core. */
  readonly #ctas: readonly number[];
  readonly #cores: (TensorCore | undefined)[][] = [];
  /** [0] is when the flight that was issued last completes. */
  readonly completion = new Float64Array(1);

  constructor(costs: Costs, roles: readonly Role[], launch: Launch, random: Random) {
    this.#costs = costs;
    const engines: CopyEngine[] = [];
    this.#copies = roles.map(({ cta }) => (engines[cta] ??= new CopyEngine(costs, launch, random)));
    this.#ctas = roles.map(({ cta }) => cta);
  }

  /** Issues a flight of a role at `now[0]` and writes its end to {@link completion}. */
  issue(now: Float64Array, role: number, flight: Flight): void {
    const { completion } = this;
    if (flight.kind === FlightKind.copy) {
      return this.#copies[role]!.issue(now, flight.bytes, completion);
    }
    const core = this.#core(flight.unit, role);
    completion[0] =
      flight.kind === FlightKind.signal
        ? Math.max(now[0]!, core.doneAt(role))
        : core.issue(now[0]!, role, flight.cycles || this.#costs.mmaDefaultCycles);
  }

  /** When a role can issue one more instruction to a unit. */
  roomAt(unit: number, role: number): number {
    return this.#core(unit, role).roomAt(role);
  }

  #core(unit: number, role: number): TensorCore {
    const cores = (this.#cores[this.#ctas[role]!] ??= []);
    return (cores[unit] ??= new TensorCore(this.#costs));
  }
}
