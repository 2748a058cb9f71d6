// How many CTAs of a kernel an SM holds at a time, and in how many waves a launch runs.
import { grouped } from '@poundlock/core/internal/base';
import type { Occupancy } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';

const WARP = 32;
const BARRIER_BYTES = 8;

/**
 * Shared memory of one CTA: that of its launch, or its buffers and its barriers; 0 where no buffer
 * declares a size.
 */
function sharedBytesOf(program: Program): number {
  const { bufferBytes, places, barriers, launch } = program.declarations;
  if (launch.sharedBytes !== null) return launch.sharedBytes;
  const buffers = bufferBytes.reduce((sum, bytes, id) => {
    return places[id]!.space === 'shared' ? sum + bytes : sum;
  }, 0);
  if (buffers === 0) return 0;
  return buffers + barriers.filter(({ isGlobal }) => !isGlobal).length * BARRIER_BYTES;
}

/** Threads of one CTA: each role has warps of its own. */
function threadsOf({ roles, declarations }: Program): number {
  const ofFirst = roles.filter(({ cta, part }) => cta === 0 && part === null);
  const own = ofFirst.reduce((sum, { lanes }) => sum + Math.ceil(lanes / WARP) * WARP, 0);
  return Math.max(own, declarations.registers?.threads ?? 0);
}

/**
 * CTAs for whose registers an SM has room: a warp gets them in units, in one of the parts of the
 * SM, so that its warps are counted by all parts together.
 */
function byRegisters({ declarations }: Program, threads: number, costs: Costs): number {
  const each = declarations.launch.registers ?? declarations.registers?.perThread ?? 0;
  if (each === 0 || threads === 0) return Infinity;
  const ofWarp = Math.ceil((each * WARP) / REGISTER_UNIT) * REGISTER_UNIT;
  const warps = Math.floor(costs.residentRegisters / PARTS / ofWarp) * PARTS;
  return warps / (threads / WARP);
}

/** Registers are given to a warp in such units (CUDA C++ Programming Guide, all GPUs since 3.0). */
const REGISTER_UNIT = 256;
/** Parts of an SM, each with a quarter of the registers. */
const PARTS = 4;

/** The occupancy of a launch on a GPU; an SM always holds one CTA here. */
export function occupancyOf(program: Program, costs: Costs): Occupancy {
  const sharedBytes = sharedBytesOf(program);
  const threads = threadsOf(program);
  const limits = [
    ['shared memory', costs.sharedBytes / (sharedBytes + costs.reservedSharedBytes)],
    ['registers', byRegisters(program, threads, costs)],
    ['threads', costs.residentThreads / Math.max(threads, 1)],
    ['the most CTAs of an SM', costs.residentCtas],
  ] as const;
  const [limitedBy, most] = limits.reduce((least, one) => (one[1] < least[1] ? one : least));
  const ctas = Math.max(program.declarations.launch.ctas, program.ctas);
  const fitting = Math.max(1, Math.floor(most));
  const ctasPerSm = Math.min(fitting, Math.ceil(ctas / costs.multiprocessors));
  const slots = costs.multiprocessors * ctasPerSm;
  const waves = Number.isFinite(slots) ? Math.ceil(ctas / slots) : 1;
  const tailCtas = waves > 1 ? ctas - (waves - 1) * slots : 0;
  return {
    sharedBytes,
    threads,
    ctas,
    fitting,
    limitedBy,
    ctasPerSm: ctasPerSm || 1,
    waves,
    tailCtas,
  };
}

/** What of a launch no GPU of the model can run, as sentences. */
export function limitsOf(program: Program, costs: Costs): string[] {
  const { sharedBytes, threads } = occupancyOf(program, costs);
  const limits: string[] = [];
  if (sharedBytes > costs.ctaSharedBytes) {
    limits.push(
      `a CTA has ${grouped(sharedBytes)} B of shared memory, but the GPU has ` +
        `${grouped(costs.ctaSharedBytes)} B for one: this kernel cannot be launched`,
    );
  }
  const { residentThreads } = costs;
  if (threads > Math.min(residentThreads, MAX_CTA_THREADS)) {
    limits.push(`a CTA has ${threads} threads, but at most ${MAX_CTA_THREADS} can be launched`);
  }
  return limits;
}

/** The most threads of one CTA, on every GPU. */
const MAX_CTA_THREADS = 1024;
