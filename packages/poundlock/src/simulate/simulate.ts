// One simulation from a kernel to its total time.
import { Unfolding } from '../program/index.ts';
import { RoleFeed } from './feed.ts';
import type { Feeder, Simulation } from './simulation.ts';

/** Every role from its own generator. */
export const inPlace: Feeder = (program, machine) => {
  const unfolding = new Unfolding(program, machine);
  return program.roles.map((_, role) => new RoleFeed(program, role, unfolding));
};

/** When the role marked `measured` ended, else the last one. */
export function totalCycles(simulation: Simulation): number {
  const { program, ends } = simulation;
  const measured = program.roles.findIndex((role) => role.measured);
  return Math.round(measured >= 0 ? ends[measured]! : Math.max(...ends));
}
