// The asynchronous units of each CTA, which has an SM of its own: copy engine and tensor cores.
import {
  type Flight,
  FlightKind,
  type Instruction,
  MAX_UNITS,
} from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
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
  /** By role and unit: when all of its copies so far are complete. */
  readonly #copied: (Float64Array | undefined)[] = [];
  /** [0] is when the flight that was issued last completes. */
  readonly completion = new Float64Array(1);

  constructor(costs: Costs, roles: readonly Role[], launch: Launch, random: Random) {
    this.#costs = costs;
    const engines: CopyEngine[] = [];
    this.#copies = roles.map(({ cta }) => (engines[cta] ??= new CopyEngine(costs, launch, random)));
    this.#ctas = roles.map(({ cta }) => cta);
  }

  /** Issues a flight of a role at `now[0]` and writes its end to {@link completion}. */
  issue(now: Float64Array, role: number, flight: Flight, by: Instruction): void {
    const { completion } = this;
    if (flight.kind === FlightKind.copy) {
      this.#copies[role]!.issue(now, flight.bytes, completion);
      const copied = (this.#copied[role] ??= new Float64Array(MAX_UNITS));
      copied[flight.unit] = Math.max(copied[flight.unit]!, completion[0]!);
      return;
    }
    // G02: the first half of a store.
    if (by.kind === OpKind.asyncCopy) {
      return this.#copies[role]!.read(now, by.bytes, completion);
    }
    const core = this.#core(flight.unit, role);
    completion[0] =
      flight.kind === FlightKind.signal
        ? Math.max(now[0]!, core.doneAt(role), this.#copied[role]?.[flight.unit] ?? 0)
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
