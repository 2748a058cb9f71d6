// What a simulation is made of: a program without state, and the options of a run.
import type { Machine } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import type { Move, SystemLayout } from '@poundlock/core/internal/system';
import type { Costs } from './model.ts';
import type { Mechanisms } from './mechanisms.ts';
import type { Observer } from './observer.ts';
import type { Sharing } from './sharing.ts';
import type { StepSource } from './step-source.ts';
import type { Units } from './units.ts';

/** Options of a run. */
export interface SimulationOptions {
  readonly costs: Costs;
  readonly seed?: number;
  readonly maxEvents?: number;
  readonly observer?: Observer | null;
  /** The SMs that share the memory; those that the launch fills unless specified. */
  readonly sharing?: Sharing;
  /** The units of another CTA on the same SMs. */
  readonly beside?: Units | null;
  /** Collects the moves of the schedule, as `system` replays them. */
  readonly moves?: Move[] | null;
}

/** A program and its machine, both without state: any number of runs can share them. */
export interface PreparedProgram {
  readonly program: Program;
  readonly layout: SystemLayout;
  readonly machine: Machine;
  /** What the operations use that are known so far: after a run, all of them. */
  readonly mechanisms: Mechanisms;
  /** Creates new step sources for its roles. */
  readonly sources: () => readonly StepSource[];
}
