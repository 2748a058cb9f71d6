// Statistics of a run: stalls by role, cause and step, and the mean occupancy of each ring.
import type { RingUse, RoleTime, StallCause } from '@poundlock/core/internal/finding';
import type { Flight } from '@poundlock/core/internal/machine';
import type { Program, StepId } from '@poundlock/core/internal/program';
import type { Observer, Performed } from './observer.ts';
import { CAUSES, StallCauses } from './stalls.ts';

/** A step that stalled, with its total stall time. */
export interface StalledStep {
  readonly role: number;
  readonly step: StepId;
  readonly cause: StallCause;
  readonly times: number;
  readonly cycles: number;
}

/** Accumulates the statistics of a run in memory that does not grow with the run. */
export class Statistics implements Observer {
  readonly #program: Program;
  readonly #causes: StallCauses;
  readonly #started: Float64Array;
  readonly #ended: Float64Array;
  /** By role and cause. */
  readonly #stalls: Float64Array;
  /** By step and cause, as one number. */
  readonly #steps = new Map<number, { -readonly [K in keyof StalledStep]: StalledStep[K] }>();
  /** By declared barrier: its ring, and +1 for full, −1 for empty. */
  readonly #ringOf: Int32Array;
  readonly #change: Int32Array;
  readonly #filled: Float64Array;
  readonly #since: Float64Array;
  readonly #area: Float64Array;
  #last = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#causes = new StallCauses(program);
    const { barriers, rings } = program.declarations;
    const roles = program.roles.length;
    this.#started = new Float64Array(roles);
    this.#ended = new Float64Array(roles);
    this.#stalls = new Float64Array(roles * CAUSES.length);
    this.#ringOf = new Int32Array(barriers.length).fill(-1);
    this.#change = new Int32Array(barriers.length);
    this.#filled = new Float64Array(rings.length);
    this.#since = new Float64Array(rings.length);
    this.#area = new Float64Array(rings.length);
    rings.forEach(({ full, empty, group }, id) => {
      if (group !== id) return;
      for (const [ids, change] of [
        [full, 1],
        [empty, -1],
      ] as const) {
        for (const barrier of ids) {
          this.#ringOf[barrier] = id;
          this.#change[barrier] = change;
        }
      }
    });
  }

  started(role: number, time: number): void {
    this.#started[role] = time;
  }

  performed(operation: Readonly<Performed>): void {
    const { role, step, stall } = operation;
    if (stall <= 0) return;
    const cause = this.#causes.causeOf(operation);
    const number = CAUSES.indexOf(cause);
    this.#stalls[role * CAUSES.length + number]! += stall;
    if (step < 0) return;
    const key = step * CAUSES.length + number;
    const total = this.#steps.get(key);
    if (total === undefined) this.#steps.set(key, { role, step, cause, times: 1, cycles: stall });
    else {
      total.times++;
      total.cycles += stall;
    }
  }

  computed(): void {}

  ended(role: number, time: number): void {
    this.#ended[role] = time;
    this.#last = Math.max(this.#last, time);
  }

  flightIssued(): void {}

  flightCompleted(_flight: Flight, _time: number): void {}

  phaseCompleted(barrier: number, time: number): void {
    const id = Math.floor(barrier / this.#program.ctas);
    const ring = this.#ringOf[id]!;
    if (ring < 0 || barrier % this.#program.ctas !== 0) return;
    this.#area[ring]! += this.#filled[ring]! * (time - this.#since[ring]!);
    this.#filled[ring]! += this.#change[id]!;
    this.#since[ring] = time;
  }

  roles(): RoleTime[] {
    return this.#program.roles.map(({ name }, role) => {
      const stalls = CAUSES.map((_, at) => this.#stalls[role * CAUSES.length + at]!);
      const stalled = stalls.reduce((sum, one) => sum + one, 0);
      const lived = this.#ended[role]! - this.#started[role]!;
      const [full, empty, unit] = stalls.map(Math.round) as [number, number, number];
      const stallCycles = { full, empty, unit };
      return { name, busyCycles: Math.round(lived - stalled), stallCycles };
    });
  }

  rings(): RingUse[] {
    return this.#program.declarations.rings.flatMap(({ name, stages, group }, id) => {
      if (group !== id) return [];
      const left = this.#filled[id]! * (this.#last - this.#since[id]!);
      const mean = this.#last === 0 ? 0 : (this.#area[id]! + left) / this.#last;
      return [{ name, stages, meanOccupancy: Number(mean.toFixed(3)) }];
    });
  }

  /** The steps that stalled, longest first. */
  stalledSteps(): StalledStep[] {
    return [...this.#steps.values()].toSorted((a, b) => b.cycles - a.cycles);
  }
}
