// Random kernels as plain data.

/** What a decision or a number of a kernel follows from. */
export const ORIGINS = ['launch', 'block', 'time', 'place', 'machine', 'data', 'none'] as const;
export type Origin = (typeof ORIGINS)[number];
/** What is counted apart: the origins, and exchanges through global memory. */
export const GROUPS = [...ORIGINS, 'global'] as const;
export type Group = (typeof GROUPS)[number];

/** A number from an origin: its form says from which source, and how it is compared. */
export interface Source {
  readonly origin: Origin;
  readonly form: number;
}

/** Which lanes of a warp take part: all, each with a word of its own, or the first. */
export type By = 'all' | 'one';

/** A number of a statement: the one of a right kernel, and what is added of 0 and 1. */
export interface Amount {
  readonly value: number;
  readonly plus?: Source;
}

export type Statement =
  /** `bar.sync`; without threads, of all. */
  | { readonly do: 'meet'; readonly id: number; readonly threads: Amount | null }
  | { readonly do: 'join' }
  | { readonly do: 'store' | 'load'; readonly space: Space; readonly slot: Amount; readonly by: By }
  | { readonly do: 'add'; readonly space: Space; readonly slot: Amount }
  | { readonly do: 'arrive'; readonly barrier: number; readonly by: By; readonly count: Amount }
  | { readonly do: 'wait'; readonly barrier: number; readonly phase: number }
  /** Waits until a clock says that it is late; then it continues behind as many statements. */
  | {
      readonly do: 'waitFor';
      readonly barrier: number;
      readonly phase: number;
      readonly skip: Body;
    }
  /** The first lane changes a word, which others poll until it holds a number, or as much. */
  | {
      readonly do: 'signal';
      readonly word: number;
      readonly isSum: boolean;
      readonly value: Amount;
    }
  | {
      readonly do: 'poll';
      readonly word: number;
      readonly isExact: boolean;
      readonly value: Amount;
    }
  | { readonly do: 'copy'; readonly barrier: number; readonly slot: number; readonly bytes: Amount }
  | { readonly do: 'if'; readonly when: Source; readonly body: Body; readonly otherwise: Body }
  /** The phases of waits in it count its iterations. */
  | { readonly do: 'loop'; readonly times: Amount; readonly body: Body }
  | { readonly do: 'registers'; readonly isMore: boolean; readonly count: number };
export type Body = readonly Statement[];
/** Global memory has a part for each block, and one for all. */
export type Space = 'shared' | 'global' | 'grid';

/** A kernel with its launch. */
export interface KernelProgram {
  readonly group: Group;
  /** What each warp does. */
  readonly warps: readonly Body[];
  readonly grid: readonly [number, number];
  /** Lanes of the last warp. */
  readonly lanes: number;
  /** Arrivals that each barrier expects. */
  readonly barriers: readonly Amount[];
  /** How many words are polled: of shared memory, or of all blocks. */
  readonly words: number;
  /** Only the first lane of each warp acts. */
  readonly isSingle: boolean;
  /** The parameter `n`. */
  readonly n: number;
}
