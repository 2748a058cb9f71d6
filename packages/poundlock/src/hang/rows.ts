// The rows of the table of a stopped kernel, as data.
import type { BarrierWord } from './dump/word.ts';
import type { KernelText } from './kernel-text.ts';
import type { SharedPlacement } from './shared-names.ts';
import type { PlaceInCode, StoppedBlock, StoppedGpu, Triple } from './stopped.ts';

/** What a group of lanes is in. */
export type WarpState =
  | {
      readonly kind: 'mbarrier';
      /** `null` where no variable can be named. */
      readonly name: string | null;
      /** The shared address in its block; `null` where registers are not known. */
      readonly address: number | null;
      readonly parity: 0 | 1 | null;
      /** The block of the cluster whose barrier it is, where that is another one. */
      readonly rank?: number;
    }
  | { readonly kind: 'named'; readonly id: number | null }
  | {
      readonly kind: 'word';
      readonly name: string | null;
      readonly address: string;
      /** `null` where the dump does not have it. */
      readonly holds: number | null;
    }
  | { readonly kind: 'exception'; readonly number: number; readonly name: string }
  /** `registers`: until other warps give registers back (`setmaxnreg`). */
  | {
      readonly kind: 'cluster' | 'syncwarp' | 'registers' | 'nanosleep' | 'running' | 'ended';
    }
  /** Its code is not known, or what its instruction waits for is not. */
  | { readonly kind: 'unknown' };

/** A row: lanes of a warp that are at one place. */
export interface TableRow {
  readonly cta: Triple;
  readonly warp: number;
  readonly lanes: readonly number[];
  readonly pc: string;
  /** The place in the user's source, such as `hang.cu:36`; `null` where it is not known. */
  readonly at: string | null;
  /** The line in the PTX; `null` where it is not known. */
  readonly ptxLine: number | null;
  readonly state: WarpState;
  /** The word of the barrier that it waits for. */
  readonly word?: BarrierWord;
}

/** A barrier of a block. */
export interface TableBarrier extends BarrierWord {
  readonly cta: Triple;
  readonly name: string | null;
  readonly address: number;
}

/** What is known of a stopped kernel from what was saved alone. */
export interface HangTable {
  readonly rows: readonly TableRow[];
  readonly barriers: readonly TableBarrier[];
  /** Where variables lie; `null` where addresses cannot be named. */
  readonly placement: SharedPlacement | null;
}

/** What the table needs beside the dump. */
export interface TableContext {
  readonly gpu: StoppedGpu;
  readonly blocks: readonly StoppedBlock[];
  /** `undefined` where the PTX is not known. */
  readonly text: KernelText | undefined;
  /** Where code is whose image the dump has not: in another file, by name. */
  readonly codeAt: (pc: bigint) => PlaceInCode | undefined;
  /** The name of the buffer at an address, such as `flag+4`. */
  readonly bufferAt: (address: bigint) => string | null;
  /** How the user would name a file of the source. */
  readonly fileName: (file: string) => string;
}
