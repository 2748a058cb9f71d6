// How a kernel is launched: what the host decides and its PTX does not say.

import type { AllowedData } from './allowed-data.ts';

/** A size or a position in three dimensions. */
export type Dimensions = readonly [number, number, number];

/** The tensor map in a parameter or behind a pointer: what one copy through it moves. */
export interface TensorMap {
  /** Bytes of the whole box. */
  readonly boxBytes: number;
  /** Its lengths in elements, the innermost first; missing where they are not given. */
  readonly box?: readonly number[];
}

/** Memory of the device whose contents are known. */
export interface DeviceMemory {
  readonly address: bigint;
  readonly contents: Uint8Array;
}

/** A buffer in a window of 2^32 addresses of its own; all of it where no size is given. */
export interface BoundedBuffer {
  readonly name: string;
  readonly bytes: number;
  /** Its address is a multiple of this power of two. */
  readonly align: number;
  /** Whether the launch says that it overlaps no other buffer. */
  readonly isApart: boolean;
}

/** A buffer that the kernel before writes, and that this one may not touch before it has ended. */
export interface EarlierBuffer {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  /** The tensor map that leads there, as a key of `tensorMaps`; `null`: a pointer does. */
  readonly map: string | null;
}

/** A launch of a kernel. */
export interface Launch {
  /** The launch file, for messages. */
  readonly file: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly cluster: Dimensions;
  /** Whether it does without the attribute that clusters of more than 8 blocks need. */
  readonly isPortable: boolean;
  /** Dynamic shared memory in bytes. */
  readonly sharedBytes: number;
  /** The parameter block, at the offsets of the PTX. */
  readonly parameters: Uint8Array;
  /** 1 for each byte of the parameter block that is known. */
  readonly knownParameters: Uint8Array;
  /** Tensor maps by their address: `parameter+OFFSET` or a hexadecimal device address. */
  readonly tensorMaps: ReadonlyMap<string, TensorMap>;
  /** Whether the boxes of the tensor maps were solved from the expected bytes, not recorded. */
  readonly areBoxesSolved: boolean;
  readonly memory: readonly DeviceMemory[];
  /** By the high half of their addresses. */
  readonly bounds: ReadonlyMap<number, BoundedBuffer>;
  /** Memory that pointers of a recorded launch reach: from its first byte to behind its last. */
  readonly reached?: readonly (readonly [from: number, to: number])[];
  /** Blocks that cluster launch control hands to the first cluster before it refuses. */
  readonly clusterLaunchControl: readonly number[];
  /** Answers of atomics on work counters to the first block, in order. */
  readonly atomicAnswers: readonly number[];
  /** Whether all blocks of the grid are resident at once. */
  readonly isCooperative: boolean;
  /** How many multiprocessors the device has; missing: as many as the smallest of its target. */
  readonly multiprocessors?: number;
  /** Registers of each thread as the kernel begins; `null` where they are not recorded. */
  readonly registers: number | null;
  /** Whether it may begin before the kernel before it has ended (`griddepcontrol`). */
  readonly isProgrammatic: boolean;
  /** Where the data is that it copies, for `simulate`; in the L2 unless it is given. */
  readonly source?: 'l2' | 'hbm';
  /** The places of the clusters that are executed among those of the grid; missing: the first. */
  readonly executed?: readonly Dimensions[];
  /** Which values the words behind pointers may hold, by the offset of the pointer. */
  readonly allowed?: ReadonlyMap<number, AllowedData>;
  /** What a branch finds for all of these values; `undefined`: that is not known. */
  readonly decided?: (at: number) => boolean | undefined;
  /** What the kernel before writes, where it need not have ended. */
  readonly earlier: readonly EarlierBuffer[];
}

/** The place of the cluster that is executed, or of the first of those that are. */
export function executedPlace({ executed }: Launch): Dimensions {
  return executed?.[0] ?? [0, 0, 0];
}

/** The product of three dimensions. */
export function volume(dimensions: Dimensions): number {
  return dimensions[0] * dimensions[1] * dimensions[2];
}
