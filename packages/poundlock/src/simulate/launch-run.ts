// Runs a launch: the CTAs of an SM side by side, and wave after wave where they do not all fit.
import type { Occupancy } from '@poundlock/core/internal/finding';
import type { PreparedProgram, SimulationOptions } from './prepared.ts';
import { occupancyOf } from './residency.ts';
import { Simulation } from './simulation.ts';

/** A launch that has run. */
export interface LaunchRun {
  /** Its first CTA, or the CTAs of its first cluster. */
  readonly first: Simulation;
  readonly occupancy: Occupancy;
  readonly totalCycles: number;
  /** Cycles of the first wave. */
  readonly waveCycles: number;
  readonly microseconds: number;
}

/** Simulates a launch; an observer sees its first CTA. */
export function runLaunch(prepared: PreparedProgram, options: SimulationOptions): LaunchRun {
  const occupancy = occupancyOf(prepared.program, options.costs);
  const { ctasPerSm, waves, tailCtas } = occupancy;
  const first = sideBySide(prepared, options, ctasPerSm);
  const [cycles, time] = durationOf(first);
  const wave = { first, occupancy, waveCycles: cycles };
  if (waves === 1) return { ...wave, totalCycles: cycles, microseconds: time };
  const { multiprocessors } = options.costs;
  const last = sideBySide(
    prepared,
    { ...options, observer: null, sharingSms: Math.min(tailCtas, multiprocessors) },
    Math.ceil(tailCtas / multiprocessors),
  );
  const [tailCycles, tailTime] = durationOf(last);
  return {
    ...wave,
    totalCycles: (waves - 1) * cycles + tailCycles,
    microseconds: (waves - 1) * time + tailTime,
  };
}

/** Runs so many CTAs on each SM; those beside the first differ in their random latencies. */
function sideBySide(
  prepared: PreparedProgram,
  options: SimulationOptions,
  ctas: number,
): Simulation {
  const first = new Simulation(prepared, options);
  if (ctas <= 1) {
    first.run();
    return first;
  }
  const all = [first];
  const { seed = 1 } = options;
  while (all.length < ctas) {
    const beside = all.at(-1)!.units;
    const own = { ...options, seed: seed + all.length, beside, observer: null, moves: null };
    all.push(new Simulation(prepared, own));
  }
  for (const one of all) one.start();
  for (;;) {
    const next = all.reduce((least, one) => (one.dueAt < least.dueAt ? one : least));
    if (next.dueAt === Infinity) break;
    next.step();
  }
  for (const one of all) one.finish();
  return first;
}

/** The role whose end is the time of a run: the one marked `measured`, else the last one. */
export function lastRole({ program, ends }: Simulation): number {
  const measured = program.roles.findIndex((role) => role.measured);
  return measured >= 0 ? measured : ends.indexOf(Math.max(...ends));
}

/** When that role ended: in cycles and in microseconds. */
function durationOf(simulation: Simulation): readonly [number, number] {
  const end = simulation.ends[lastRole(simulation)]!;
  return [Math.round(end), simulation.units.clock.microseconds(end)];
}
