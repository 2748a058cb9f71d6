// Runs a launch: the CTAs of an SM side by side, and others after them where they do not all fit.
import type { Occupancy } from '@poundlock/core/internal/finding';
import type { Costs } from './model.ts';
import type { PreparedProgram, SimulationOptions } from './prepared.ts';
import { occupancyOf } from './residency.ts';
import { dealt, packed } from './sharing.ts';
import type { Simulation } from './simulation.ts';
import { lastRole, runOnSm, type Round } from './sm-run.ts';

/** A launch that has run. */
export interface LaunchRun {
  /** Its first CTA, or the CTAs of its first cluster. */
  readonly first: Simulation;
  readonly occupancy: Occupancy;
  /** From the first operation of the launch to its last one. */
  readonly totalCycles: number;
  /** Cycles of the first CTA. */
  readonly waveCycles: number;
  readonly microseconds: number;
}

/** Waves that are simulated: the first, one that follows another, and the last. */
const MOST_ROUNDS = 3;

/** The most CTAs of a tail that an SM gets: as of 2, 3 and 4 that fit in bench/h100/waves.csv. */
const TAIL_CTAS = 2;

/** Simulates a launch; an observer sees its first CTA. */
export function runLaunch(prepared: PreparedProgram, options: SimulationOptions): LaunchRun {
  const occupancy = occupancyOf(prepared.program, options.costs);
  const rounds = roundsOf(occupancy, options.costs);
  const { first, ends } = runOnSm(prepared, options, rounds);
  const end = first.ends[lastRole(first)]!;
  const wave = { first, occupancy, waveCycles: Math.round(end) };
  if (occupancy.waves === 1) {
    const microseconds = first.units.clock.microseconds(end);
    return { ...wave, totalCycles: wave.waveCycles, microseconds };
  }
  // The waves between take as long as the one that follows the first.
  const more = occupancy.waves - rounds.length;
  const [one, next, last] = [ends[0]!, ends[1]!, ends.at(-1)!];
  return {
    ...wave,
    totalCycles: Math.round(last.cycles + more * (next.cycles - one.cycles)),
    microseconds: last.microseconds + more * (next.microseconds - one.microseconds),
  };
}

/** The rounds of one SM that stand for all waves of a launch. */
function roundsOf({ ctas, ctasPerSm, waves, tailCtas }: Occupancy, costs: Costs): Round[] {
  if (waves === 1) return [{ ctas: ctasPerSm, sharing: dealt(ctas, ctasPerSm, costs) }];
  const slots = costs.multiprocessors * ctasPerSm;
  const full: Round = { ctas: ctasPerSm, sharing: dealt(slots, ctasPerSm, costs) };
  const onTailSm = Math.min(tailCtas, ctasPerSm, TAIL_CTAS);
  const tail = { ctas: onTailSm, sharing: packed(tailCtas, onTailSm, costs) };
  const before = Array.from({ length: Math.min(waves, MOST_ROUNDS) - 1 }, () => full);
  return [...before, tailCtas === slots ? full : tail];
}
