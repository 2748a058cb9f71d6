// What the lowerings of all families of steps share while they lower the steps of one warp.
import type { Doubt } from './doubt.ts';
import type { WarpSteps } from '../steps/run.ts';
import type { AccessKind, Ranges, Step, StepName } from '../steps/step.ts';
import type { BarrierBytes } from './barrier-bytes.ts';
import type { BarrierNumbers } from './barrier-numbers.ts';
import type { CountCells } from './counts.ts';
import type { WarpgroupBarriers } from './groups.ts';
import type { HeldColumns } from './held-columns.ts';
import type { MapBuffers } from './maps.ts';
import type { StrandJoins } from './parts.ts';
import type { Agent, Pieces } from './pieces.ts';
import type { Action, Uses } from './plan.ts';
import type { WordCounters } from './words.ts';
import type { Reach } from '../steps/reach.ts';
import type { RegisterChanges } from './registers.ts';

/** Lowers a step of one kind. */
type Lower<N extends StepName> = (step: Extract<Step, { op: N }>) => void;
/** The lowerings of some kinds of steps. */
export type Lowerings<N extends StepName> = { readonly [K in N]: Lower<K> };

/** The time that operations of a simulation have beside their prices. */
export interface TimedLowering {
  /** Of a wait that leaves groups of `wgmma` in flight. */
  readonly mmaPipelinedCycles: number;
}

/** What all warps of a run share. */
export interface RunScope {
  readonly warps: number;
  readonly pieces: Pieces;
  /** The scope of an instruction, if it does not include all blocks. */
  readonly reachOf: (at: number) => Reach | undefined;
  readonly numbers: BarrierNumbers;
  readonly groups: WarpgroupBarriers;
  readonly counts: CountCells;
  readonly joins: StrandJoins;
  readonly maps: MapBuffers;
  readonly words: WordCounters;
  readonly registers: RegisterChanges;
  readonly bytes: BarrierBytes;
  readonly tensorMemory: HeldColumns;
  /** What a simulation adds: it sees each instruction of a unit by itself. */
  readonly timed: TimedLowering | null;
}

/** Whatever touches memory on behalf of a warp. */
export interface Agents {
  readonly own: Agent;
  readonly copies: Agent;
  readonly work: Agent;
  readonly loads: Agent;
  readonly stores: Agent;
}

/** How many agents a warp has. */
export const AGENTS = 5;

/** No access. */
export const NOTHING: Uses = { sets: [], agent: 0, writer: null };

/** One warp while its steps are lowered. */
export class WarpScope {
  readonly run: RunScope;
  readonly warp: WarpSteps;
  readonly name: string;
  readonly agents: Agents;
  /** What the warp does, so far. */
  readonly actions: Action[] = [];
  /** Instructions whose accesses may happen or not. */
  readonly possible = new Map<number, Doubt>();

  constructor(run: RunScope, warp: WarpSteps, name: string, index: number) {
    this.run = run;
    this.warp = warp;
    this.name = name;
    const { warps } = run;
    this.agents = {
      own: index,
      copies: index + warps,
      work: index + 2 * warps,
      loads: index + 3 * warps,
      stores: index + 4 * warps,
    };
  }

  /** The declaration of the barrier at an address. */
  barrier(address: number): number {
    return this.run.numbers.of(address);
  }

  /** An access to ranges by an agent. */
  uses(
    ranges: Ranges,
    agent: Agent,
    isWrite: boolean,
    kind: AccessKind = 'plain',
    reach?: Reach,
  ): Uses {
    if (ranges.length === 0) return NOTHING;
    const sets = [this.run.pieces.add(ranges, agent, isWrite, kind, reach)];
    return { sets, agent, writer: null };
  }

  /** The same of asynchronous work; a reduction is an agent of its own. */
  worksOn(ranges: Ranges, agent: Agent, isWrite: boolean, isReduction = false): Uses {
    if (ranges.length === 0) return NOTHING;
    const { pieces, warps } = this.run;
    if (!isReduction)
      return { sets: [pieces.addWork(ranges, agent, isWrite)], agent, writer: null };
    const own = AGENTS * warps + pieces.nextReduction();
    const writer = { agent: own, isOrdered: true, stores: [], classes: new Map() };
    return { sets: [pieces.add(ranges, own, isWrite, 'atomic')], agent: own, writer };
  }
}
