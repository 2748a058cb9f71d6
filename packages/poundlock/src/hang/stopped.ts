// A GPU as it was stopped: what a core dump or the text of a debugger says of each warp.
import type { Code, Cubin } from './dump/cubin.ts';

/** Three numbers: x, y, z. */
export type Triple = readonly [number, number, number];

/** A launch that had not ended. */
export interface StoppedGrid {
  readonly id: string;
  /** The address of its kernel's code. */
  readonly entry: bigint;
  readonly grid: Triple;
  readonly block: Triple;
  readonly cluster: Triple;
  /** Registers of each thread; 0 where they are not known. */
  readonly registers: number;
  /** The bytes of its parameters; `undefined` where they were not saved. */
  readonly parameters: Uint8Array | undefined;
}

/** Lanes of a warp that are at the same instruction. */
export interface LaneGroup {
  /** A bit for each lane. */
  readonly lanes: number;
  readonly pc: bigint;
  /** The number of the exception of a lane; 0: none. */
  readonly exception: number;
  /** A register of the first of the lanes; `undefined` where it is not known. */
  readonly register: (index: number) => number | undefined;
  /** A uniform register of the warp. */
  readonly uniform: (index: number) => number | undefined;
}

/** A warp that has not ended. */
export interface StoppedWarp {
  /** Its number in the block. */
  readonly warp: number;
  /** Lanes that have not ended. */
  readonly lanes: number;
  /** Where an exception was raised; `undefined` where none was. */
  readonly errorPc: bigint | undefined;
  readonly groups: readonly LaneGroup[];
}

/** A block that has not ended. */
export interface StoppedBlock {
  readonly grid: StoppedGrid;
  readonly block: Triple;
  /** Its number in its cluster. */
  readonly rank: number;
  /** The number of the exception of its SM; 0: none. */
  readonly exception: number;
  /** A 64-bit word of its shared memory; `undefined` where it is not known. */
  readonly sharedWord: (address: number) => bigint | undefined;
  /** Bytes of its shared memory; 0 where they are not known. */
  readonly sharedBytes: number;
  readonly warps: readonly StoppedWarp[];
}

/** Code and the offset in it. */
export interface PlaceInCode {
  readonly cubin: Cubin;
  readonly code: Code;
  readonly offset: number;
}

/** A GPU as it was stopped. */
export interface StoppedGpu {
  /** The file that shows it. */
  readonly file: string;
  /** The architecture, such as `sm_90`; empty where it is not known. */
  readonly architecture: string;
  readonly blocks: readonly StoppedBlock[];
  readonly grids: readonly StoppedGrid[];
  /** What a dump leaves out, in words; empty where it is whole. */
  readonly omitted: string;
  /** The code at an address. */
  readonly codeAt: (pc: bigint) => PlaceInCode | undefined;
  /** The kernel, where it is shown without its code. */
  readonly kernelName?: string;
  /** Lines of the source, where addresses are shown with them. */
  readonly namedLines?: readonly { pc: bigint; file: string; line: number }[];
  /** The function at an address whose code is not saved. */
  readonly symbolAt?: (
    pc: bigint,
  ) => { readonly name: string; readonly offset: number } | undefined;
  /** Bytes of global memory; `undefined` where they were not saved. */
  readonly memory: (address: bigint, length: number) => Uint8Array | undefined;
  /** The saved part of global memory that an address lies in. */
  readonly allocation: (address: bigint) => { readonly base: bigint; readonly size: number } | null;
}
