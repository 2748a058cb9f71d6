// Where a search looks: the states of one system, packed as a sample run has shown them.
import { Unfolding, type Divergence, type Program } from '@poundlock/core/internal/program';
import { Names, System } from '@poundlock/core/internal/system';
import { Packing } from './packing.ts';
import { divergence, sampleRun } from './sample-run.ts';

/** A system on which moves can be made, and what is known of the roles behind it. */
export interface Runnable {
  readonly system: System;
  /** `null` where the steps are lists and no role is unfolded. */
  readonly unfolding: Unfolding | null;
  /** How two runs of a role differed, where steps were recorded twice. */
  readonly divergence: Divergence | null;
}

export interface SearchSpace {
  readonly system: System;
  readonly names: Names;
  readonly packing: Packing;
  /** A role that did something else in its second instance: its states mean nothing. */
  readonly divergence: Divergence | null;
}

/** Runs the program once: that shows the shape of a state, and checks the roles. */
export function layOutSpace({ system, unfolding, divergence: recorded }: Runnable): SearchSpace {
  const packing = new Packing(system.machine, system.initial());
  const found = unfolding === null ? recorded : firstDivergence(system, unfolding, packing);
  return { system, names: new Names(system), packing, divergence: found };
}

/** How a role differs from its second instance on a sample run, or `null`. */
export function firstDivergence(
  system: System,
  unfolding: Unfolding,
  packing: Packing,
): Divergence | null {
  const lists = sampleRun(system.program, unfolding, system, packing);
  return divergence(system.program, unfolding, lists);
}

/** A system for one run of a program, and what it unfolds. */
export function unfold(program: Program): { system: System; unfolding: Unfolding } {
  let unfolding: Unfolding | undefined;
  const system = new System(program, (_, machine) => {
    return (unfolding = new Unfolding(program, machine));
  });
  return { system, unfolding: unfolding! };
}
