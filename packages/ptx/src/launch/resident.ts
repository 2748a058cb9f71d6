// How many blocks surely run at the same time: each multiprocessor has room for one of any kernel
// that can be launched. A text runs on each GPU of its architecture, or of a later one.
import { architectureNumber } from '../isa/needs.ts';
import { volume } from './launch.ts';
import type { Launch } from './launch.ts';

/**
 * The fewest multiprocessors that a kernel has, by the number of the architecture: of the smallest
 * GPU, or of its smallest MIG instance. Source: data sheets, and NVIDIA's MIG User Guide (profiles
 * `1g` of A30 and A100, H100 and H200, B200).
 */
const FEWEST: Readonly<Record<number, number>> = {
  70: 72,
  72: 6,
  75: 6,
  80: 14,
  86: 6,
  87: 4,
  89: 16,
  90: 16,
  100: 16,
  101: 12,
  103: 16,
  110: 12,
  120: 14,
  121: 48,
};

/** Multiprocessors of a part of a GPU that surely hold clusters: those of an MIG instance. */
const CLUSTER_ROOM = 16;

/** The fewest multiprocessors of a GPU that can execute a text for a target. */
function fewest(target: string): number {
  const own = architectureNumber(target);
  if (/[af]$/.test(target)) return FEWEST[own] ?? 1;
  const later = Object.entries(FEWEST).flatMap(([number, count]) => {
    return Number(number) >= own ? [count] : [];
  });
  return Math.min(...later);
}

/**
 * How many multiprocessors the device has at least on which all blocks of a launch have room at the
 * same time, for the smallest one of a target; `null` if that is not known.
 */
export function roomFor(launch: Launch, target: string): number | null {
  const multiprocessors = launch.multiprocessors ?? fewest(target);
  const blocks = volume(launch.grid);
  const size = volume(launch.cluster);
  const clusters = Math.floor(Math.min(multiprocessors, CLUSTER_ROOM) / size);
  const room = size === 1 ? multiprocessors : clusters * size;
  return blocks <= room ? multiprocessors : null;
}
