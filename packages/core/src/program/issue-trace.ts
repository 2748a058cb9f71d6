// What the warps of a block issue, in their order, for a model in which they compete.

/**
 * The unit of an SM that executes an instruction. Each of the four schedulers has its own `fma`,
 * `alu`, `double`, `special` and `tensor`; `memory` is one for all; `none`: ptxas leaves none.
 */
export type IssueUnit = 'none' | 'fma' | 'alu' | 'double' | 'special' | 'tensor' | 'memory';

/** What an instruction does beside its unit's work. */
export type IssueKind =
  | 'plain'
  | 'branch'
  | 'shared'
  | 'load'
  | 'store'
  | 'atomic'
  | 'copy'
  | 'commit'
  | 'wait'
  | 'multiply'
  | 'commit multiply'
  | 'wait multiply'
  | 'barrier'
  | 'arrive';

/** An instruction of the text. */
export interface IssuedInstruction {
  readonly kind: IssueKind;
  readonly unit: IssueUnit;
  /** How many instructions ptxas makes of it: slots of its scheduler. */
  readonly slots: number;
  /** Cycles of its unit. */
  readonly cycles: number;
  /** From its issue to its results, where no memory delays them. */
  readonly latency: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Whether it is past the cache of the SM. */
  readonly isUncached: boolean;
  /** Whether it converts a value: ptxas moves that to the use of its result. */
  readonly isConversion: boolean;
  /** Of a load: the words of its value, and those that registers have for values of loads. */
  readonly words: number;
  readonly room: number;
}

/** The instructions of a warp in their order. */
export interface IssuedWarp {
  /** By step: the instruction. */
  readonly at: Int32Array;
  /**
   * By step: of an access to global memory where its lines begin in `lines`; of one to shared
   * memory -1, less its rounds there; of a wait how many groups may be open; of a barrier its
   * number and the warps that meet there (see {@link meetingOf}).
   */
  readonly detail: Int32Array;
  /**
   * Of each access to global memory: how many lines of 128 bytes, the bytes of all lanes, then the
   * lines (see {@link lineOf}).
   */
  readonly lines: Float64Array;
}

/** The warps of some blocks of a launch, which stand for all of them. */
export interface IssueTrace {
  readonly instructions: readonly IssuedInstruction[];
  readonly registers: number;
  /** The first block of the grid, and the last: no launch ends before they do. */
  readonly ends: readonly (readonly IssuedWarp[])[];
  /** Blocks that stand for all, each with as many warps. */
  readonly blocks: readonly (readonly IssuedWarp[])[];
  /** By number of a buffer: its bytes; infinite where the launch does not say. */
  readonly buffers: readonly number[];
}

/** Masks of the four sectors of a line, of 32 bytes each. */
export const SECTORS = 16;
/** Lines of a buffer. */
export const LINES = 2 ** 36;

/** A line of a buffer with the sectors that lanes access, as one number. */
export function lineOf(buffer: number, line: number, sectors: number): number {
  return (buffer * LINES + line) * SECTORS + sectors;
}

/** Numbers of barriers. */
const BARRIERS = 16;

/** A barrier by its number, and how many warps meet there, as one number; 0: all of the block. */
export function meetingOf(barrier: number, warps: number): number {
  return warps * BARRIERS + barrier;
}

/** How many warps meet at a barrier; 0: all of the block that have not ended. */
export function warpsMeeting(meeting: number): number {
  return Math.floor(meeting / BARRIERS);
}
