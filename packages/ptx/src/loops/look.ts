// One look at a run of two rounds: what all of its warps share.
import type { Machine } from '../exec/machine/machine.ts';
import type { InstructionPlan } from './plan.ts';
import { Reach, ROUNDS } from './reach.ts';
import { WrittenWords } from './written-words.ts';

/** The number of the launch that grows: four bytes of its parameters, and by how much a round. */
export interface Growing {
  readonly offset: number;
  readonly step: number;
  /** What it is in the run. */
  readonly value: number;
  /** The fewest rounds that anything that is used has to hold for. */
  readonly least: number;
}

/** The largest number of a launch. */
const MOST_NUMBER = 2 ** 31 - 1;

/** Why a proof does not go through. */
export class NotProved extends Error {
  /** The instruction, or -1. */
  readonly at: number;

  constructor(at: number, text: string) {
    super(text);
    this.at = at;
  }
}

/** What all warps of a look share. */
export class Look {
  readonly machine: Machine;
  readonly plans: readonly InstructionPlan[];
  readonly growing: Growing;
  readonly reach: Reach;
  readonly words: WrittenWords;
  /** Loads of shared memory of which nothing is known. */
  readonly loads: ReadonlySet<number>;
  /** Instructions so far. */
  time = 0;
  /** When the first warp ended its first round: with one round alone it would leave its loop. */
  leftAt = Infinity;
  /** Whether what is stored now is another in other rounds. */
  isStoreShaded = false;
  /** By mbarrier: how many phases a round adds, as far as states of arrivals were followed. */
  readonly phases = new Map<number, number>();
  /** Whether a state of an arrival was followed. */
  countsPhases = false;
  /** A load of global memory whose contents the launch gives; -1: none. */
  readsContents = -1;
  /** Whether something is stored at addresses that grow, where the launch gives contents. */
  storesAnywhere = false;
  /** Instructions that may touch other places of global memory in other rounds. */
  readonly moving = new Set<number>();

  /**
   * Whether the run of one cluster stands for others, in which values that follow from the place of
   * a block are other ones.
   */
  get isOfSeveral(): boolean {
    return this.machine.blocks !== null;
  }

  constructor(
    machine: Machine,
    plans: readonly InstructionPlan[],
    growing: Growing,
    loads: ReadonlySet<number>,
  ) {
    this.machine = machine;
    this.plans = plans;
    this.growing = growing;
    this.loads = loads;
    this.reach = new Reach(growing.least);
    this.words = new WrittenWords(machine.ctas, machine.memory.bytes);
    this.reach.limit(Math.floor((MOST_NUMBER - growing.value) / growing.step) + ROUNDS);
  }
}
