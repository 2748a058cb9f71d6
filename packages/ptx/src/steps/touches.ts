// What the warps of a cluster touch in global memory, beside their steps: which bytes each lane
// reads or writes, and how its address follows from the place of the block.
import type { Origin, Picked } from '../values/origin.ts';
import type { Reach } from './reach.ts';
import type { AccessKind } from './step.ts';

/** What one execution of an instruction does to memory. */
export interface Effect {
  readonly isRead: boolean;
  readonly isWrite: boolean;
  readonly kind: AccessKind;
  /** Its scope, if that does not include all blocks. */
  readonly reach?: Reach;
  /** Bytes of each lane. */
  readonly bytes: number;
  /** What its address is a multiple of. */
  readonly unit: number;
  /** Whether asynchronous work does it, which is over later. */
  readonly isCopy?: boolean;
}

/** Bytes of global memory that lanes of a warp touch at one time. */
export interface Touch extends Effect {
  readonly at: number;
  /** Other instructions that are part of it. */
  readonly also?: ReadonlySet<number>;
  /** The number of the warp in its cluster. */
  readonly warp: number;
  /** The lanes that touch it. */
  readonly lanes: number;
  /** The address of the first of these lanes. */
  readonly base: number;
  /** How far the next lane is, where all are as far from each other; else see `list`. */
  readonly stride: number;
  /** The addresses of the lanes in their order; `null`: `base` and `stride` say them. */
  readonly list: Float64Array | null;
  /** How the addresses follow from the place of the block; `null`: all blocks have the same. */
  readonly origin: Origin | null;
  /** How far the addresses are behind it. */
  readonly offset: number;
  /** The predicate by which other blocks touch it in other lanes. */
  readonly guard: Picked | null;
  /** Whether the guard is how many bytes each lane touches, and not whether it does. */
  readonly isSized?: boolean;
  /** Whether data decides if it happens. */
  readonly isPossible: boolean;
  /** What a store leaves; `null` for others. */
  readonly stored: StoredElements | null;
}

/** What a store leaves, by its elements. */
export interface StoredElements {
  /** How each follows from the place of the block; `null`: it does not. */
  readonly origins: readonly (Origin | null)[];
  /** The numbers that lanes store, where all blocks have them; else `null`. */
  readonly fixed: string | null;
  /** Whether neither was followed, because it decides nothing. */
  readonly isLeftOut?: boolean;
}

/** A box of a tensor that a copy reads or writes. */
export interface BoxTouch {
  readonly at: number;
  readonly lane: number;
  /** The key of its map; `null` where that is not known. */
  readonly map: string | null;
  /** Where in the tensor it lies; `null` where that is not known. */
  readonly corner: readonly number[] | null;
  /** How each coordinate follows from the place of the block; `null`: it does not. */
  readonly origins: readonly (Origin | null)[];
  readonly guard: Picked | null;
  readonly effect: Effect;
  readonly isPossible: boolean;
}

/** An instruction that touches memory at addresses that are not known. */
export interface UnknownTouch {
  readonly at: number;
  readonly isRead: boolean;
  readonly isWrite: boolean;
  readonly kind: AccessKind;
  readonly reach?: Reach;
  /** Whether the run passed over it, and might know its addresses otherwise. */
  readonly isPassed: boolean;
}

/** All that the warps of a cluster touch. */
export interface NotedTouches {
  readonly list: readonly Touch[];
  /** The same, where those that lie beside each other are one. */
  readonly dense: readonly Touch[];
  readonly boxes: readonly BoxTouch[];
  readonly unknown: ReadonlyMap<number, UnknownTouch>;
}
