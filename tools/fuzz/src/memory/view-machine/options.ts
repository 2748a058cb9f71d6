// How the view machine explores a program, and what may be wrong with it on purpose.
import type { ControlFaults } from './control.ts';

/** Deliberate faults: each of them has to show in a comparison with the expected verdicts. */
export interface Faults extends ControlFaults {
  /** What is visible is also visible through the async proxy. */
  readonly noAsyncProxy?: boolean;
  readonly ignoresScopes?: boolean;
  /** A proxy fence is about all writes, and not only about those that its thread may see. */
  readonly fencesAllWrites?: boolean;
  readonly relaxedCarriesMemory?: boolean;
  readonly ignoresTensorFences?: boolean;
  /** A write after a read never changes what the read returns. */
  readonly ignoresReuse?: boolean;
}

export interface ViewOptions {
  readonly profile: 'practice' | 'isa';
  /**
   * A write needs the reads before it to be known at the level that the contract asks for, although
   * no execution returns a later version: the three kinds in which the rules are stricter.
   */
  readonly readsHaveLevels?: boolean;
  readonly faults?: Faults;
  /** The most states, and whether the first fault is enough. */
  readonly mostStates?: number;
  readonly stopsAtFirst?: boolean;
}
