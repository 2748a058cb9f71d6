// Special registers of a warp: positions, sizes, masks of lanes. Clocks and the like are read when
// executed.
import type { Launch } from '../../launch/launch.ts';
import { volume } from '../../launch/launch.ts';
import { WORKSPACE_WINDOW } from '../../launch/windows.ts';
import type { Cta } from './cta.ts';

/** What special registers depend on. */
export interface WarpPosition {
  readonly launch: Launch;
  readonly cta: Cta;
  /** The number of the warp in its CTA. */
  readonly warp: number;
}

/** The value of a special register in a lane. */
export type SpecialRegister = (position: WarpPosition, lane: number) => number;

const AXES = ['x', 'y', 'z'] as const;

/** A register with the components x, y and z. */
function axes(
  name: string,
  value: (position: WarpPosition, lane: number, axis: 0 | 1 | 2) => number,
): Record<string, SpecialRegister> {
  return Object.fromEntries(
    AXES.map((letter, axis) => [
      `%${name}.${letter}`,
      (position: WarpPosition, lane: number) => value(position, lane, axis as 0 | 1 | 2),
    ]),
  );
}

function thread({ launch, warp }: WarpPosition, lane: number, axis: 0 | 1 | 2): number {
  const index = warp * 32 + lane;
  const [x, y] = launch.block;
  return axis === 0
    ? index % x
    : axis === 1
      ? Math.floor(index / x) % y
      : Math.floor(index / (x * y));
}

/** Special registers by name. */
export const SPECIAL_REGISTERS: Readonly<Record<string, SpecialRegister>> = {
  ...axes('tid', thread),
  ...axes('ntid', ({ launch }, _lane, axis) => launch.block[axis]),
  ...axes('ctaid', ({ cta }, _lane, axis) => cta.id[axis]),
  ...axes('nctaid', ({ launch }, _lane, axis) => launch.grid[axis]),
  ...axes('cluster_ctaid', ({ cta }, _lane, axis) => cta.inCluster[axis]),
  ...axes('cluster_nctaid', ({ launch }, _lane, axis) => launch.cluster[axis]),
  ...axes('clusterid', ({ launch, cta }, _lane, axis) =>
    Math.floor(cta.id[axis] / launch.cluster[axis]),
  ),
  ...axes('nclusterid', ({ launch }, _lane, axis) =>
    Math.floor(launch.grid[axis] / launch.cluster[axis]),
  ),
  '%laneid': (_position, lane) => lane,
  '%cluster_ctarank': ({ cta }) => cta.rank - cta.first,
  // What ranks count from; no register of the hardware.
  '%cluster_first': ({ cta }) => cta.first,
  '%cluster_nctarank': ({ launch }) => volume(launch.cluster),
  '%is_explicit_cluster': ({ launch }) => (volume(launch.cluster) > 1 ? 1 : 0),
  '%dynamic_smem_size': ({ launch }) => launch.sharedBytes,
  '%reserved_smem_offset_begin': () => 0,
  '%reserved_smem_offset_end': () => 1024,
  '%reserved_smem_offset_cap': () => 1024,
  '%reserved_smem_offset_0': () => 0,
  '%reserved_smem_offset_1': () => 512,
  // The address of the words at which the blocks of a cooperative launch meet.
  '%envreg1': () => WORKSPACE_WINDOW,
  '%envreg2': () => 0,
  '%lanemask_eq': (_position, lane) => (1 << lane) >>> 0,
  '%lanemask_lt': (_position, lane) => ((1 << lane) - 1) >>> 0,
  '%lanemask_le': (_position, lane) => (lane === 31 ? 0xffff_ffff : (1 << (lane + 1)) - 1) >>> 0,
  '%lanemask_gt': (_position, lane) => (lane === 31 ? 0 : ~((1 << (lane + 1)) - 1)) >>> 0,
  '%lanemask_ge': (_position, lane) => ~((1 << lane) - 1) >>> 0,
};

/** Special registers that the machine decides: the launch says nothing of them. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  '%warpid',
  '%smid',
  '%nsmid',
  '%nwarpid',
  '%gridid',
  '%total_smem_size',
  '%aggr_smem_size',
]);

/** Clocks: each read gives another value. */
const CLOCKS: ReadonlySet<string> = new Set([
  '%clock',
  '%clock_lo',
  '%clock_hi',
  '%clock64',
  '%globaltimer',
  '%globaltimer_lo',
  '%globaltimer_hi',
]);

/** Whether the launch does not say what a special register is: it is unknown when it is read. */
export function isUnsaid(name: string): boolean {
  return CLOCKS.has(name) || OF_THE_MACHINE.has(name);
}

export function isClock(name: string): boolean {
  return CLOCKS.has(name);
}
