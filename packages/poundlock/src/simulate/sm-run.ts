// Runs the CTAs of one SM: some at a time, and the next one where one has ended.
import type { PreparedProgram, SimulationOptions } from './prepared.ts';
import type { Sharing } from './sharing.ts';
import { Simulation } from './simulation.ts';

/** CTAs that an SM runs at a time, before it runs those of the next round. */
export interface Round {
  readonly ctas: number;
  /** The SMs that do the same. */
  readonly sharing: Sharing;
}

/** When the last CTA of a round has ended. */
export interface RoundEnd {
  readonly cycles: number;
  readonly microseconds: number;
}

/** The CTAs of an SM that have run. */
export interface SmRun {
  readonly first: Simulation;
  /** By round. */
  readonly ends: readonly RoundEnd[];
}

/** Runs rounds of CTAs on an SM; an observer sees the first CTA. */
export function runOnSm(
  prepared: PreparedProgram,
  options: SimulationOptions,
  rounds: readonly Round[],
): SmRun {
  return new SmRunner(prepared, options, rounds).run();
}

/** A CTA that runs, and its round. */
interface Running {
  readonly cta: Simulation;
  readonly round: number;
}

class SmRunner {
  readonly #prepared: PreparedProgram;
  readonly #options: SimulationOptions;
  readonly #rounds: readonly Round[];
  /** By round: CTAs that have not started, and those that have not ended. */
  readonly #waiting: number[];
  readonly #open: number[];
  readonly #ends: RoundEnd[] = [];
  #running: Running[] = [];
  /** The CTA that was created last. */
  #newest: Simulation;
  #created = 1;

  constructor(prepared: PreparedProgram, options: SimulationOptions, rounds: readonly Round[]) {
    this.#prepared = prepared;
    this.#options = options;
    this.#rounds = rounds;
    this.#waiting = rounds.map(({ ctas }) => ctas);
    this.#open = [...this.#waiting];
    this.#newest = new Simulation(prepared, { ...options, sharing: rounds[0]!.sharing });
  }

  run(): SmRun {
    const first = this.#newest;
    this.#start(first, 0, 0);
    while (this.#waiting[0]! > 0) this.#start(this.#another(), 0, 0);
    while (this.#running.length > 0) this.#step();
    return { first, ends: this.#ends };
  }

  #start(cta: Simulation, round: number, at: number): void {
    this.#waiting[round]! -= 1;
    cta.start(at);
    const running = { cta, round };
    this.#running.push(running);
    if (cta.dueAt === Infinity) this.#end(running);
  }

  /** One more CTA on the units of the SM, which differs in its random latencies. */
  #another(): Simulation {
    const { seed = 1 } = this.#options;
    const { units: beside } = this.#newest;
    const own = { seed: seed + this.#created++, beside, observer: null, moves: null };
    return (this.#newest = new Simulation(this.#prepared, { ...this.#options, ...own }));
  }

  /** Performs what is due next, until another CTA is due. */
  #step(): void {
    let [next] = this.#running as [Running];
    let horizon = Infinity;
    for (const one of this.#running) {
      const { dueAt } = one.cta;
      if (one === next) continue;
      if (dueAt < next.cta.dueAt) [next, horizon] = [one, next.cta.dueAt];
      else if (dueAt < horizon) horizon = dueAt;
    }
    next.cta.stepUntil(horizon);
    if (next.cta.dueAt === Infinity) this.#end(next);
  }

  /** A CTA has ended, and the next one gets its place. */
  #end(ended: Running): void {
    const { cta, round } = ended;
    cta.finish();
    this.#running = this.#running.filter((one) => one !== ended);
    const cycles = Math.max(this.#ends[round]?.cycles ?? 0, cta.ends[lastRole(cta)]!);
    this.#ends[round] = { cycles, microseconds: cta.units.clock.microseconds(cycles) };
    const left = (this.#open[round]! -= 1);
    const next = this.#waiting.findIndex((waiting) => waiting > 0);
    if (left === 0 && round + 1 < this.#rounds.length) {
      cta.units.share(this.#rounds[round + 1]!.sharing);
    }
    if (next < 0) return;
    this.#start(this.#another(), next, Math.max(...cta.ends) + this.#options.costs.nextCtaCycles);
  }
}

/** The role whose end is the time of a run: the one marked `measured`, else the last one. */
export function lastRole({ program, ends }: Simulation): number {
  const measured = program.roles.findIndex((role) => role.measured);
  return measured >= 0 ? measured : ends.indexOf(Math.max(...ends));
}
