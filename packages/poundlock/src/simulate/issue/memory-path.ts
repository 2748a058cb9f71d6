// The way of an SM to global memory: its memory unit and cache, its share of the L2 and of HBM.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssueTrace } from '@poundlock/core/internal/program';
import type { Costs } from '../model.ts';
import { MemoryQueue } from './memory-queue.ts';
import { Reuse } from './reuse.ts';
import { SectorCache } from './sector-cache.ts';
import { BITS, SECTOR_BYTES, touchedBy } from './working-set.ts';

const LINE_BYTES = 128;
/** The L1 and shared memory of an SM (CUDA C++ Programming Guide, 9.0), and the least L1. */
const L1_BYTES = 262_144;
const LEAST_L1 = 16_384;
/** What is touched again stays in the L2 up to the first share of it; none from the second on. */
const FITTING = 0.5;
const OUTGROWN = 0.85;
/** Cycles for which stores wait for memory before their warps do. */
const STORES_AHEAD = 4000;
/** Cycles of the memory unit that accesses wait for it. */
const UNIT_QUEUE = 64;
/** Bytes that a sector lacks in which one word is stored. */
const LACKING = 28;
/** Blocks with lines of their own, in the numbers of lines. */
const OWN_LINES = LINES * 64;
/** Buffers are shared by so many blocks, on average, or each has its part. */
const SHARED = 1.5;

/** How a launch fills SMs. */
export interface Filling {
  readonly blocks: number;
  /** SMs that have blocks, and blocks of each at a time. */
  readonly sms: number;
  readonly residents: number;
  /** Shared memory of a block. */
  readonly sharedBytes: number;
}

/** Bytes that the cache of an SM does not have. */
interface Fetched {
  readonly missed: number;
  /** Of these: what the L2 is requested for, what comes from HBM, and what its block waits for. */
  readonly requested: number;
  readonly far: number;
  readonly late: number;
}

/** The memory of one SM while others do as much. */
export class MemoryPath {
  readonly #costs: Costs;
  readonly #cache: SectorCache;
  readonly #reuse: Reuse;
  /** By buffer: the part of its bytes that no cache has, where they are loaded first. */
  readonly #fromHbm: readonly number[];
  readonly #isShared: readonly boolean[];
  readonly #isWrittenBack: boolean;
  readonly #l2CyclesPerByte: number;
  readonly #hbmCyclesPerByte: number;
  readonly l2: MemoryQueue;
  readonly hbm: MemoryQueue;
  /** When the memory unit is free, and when all that comes back has come. */
  #unit = 0;
  #returned = 0;
  /** Bytes from HBM that no access has waited for yet. */
  #late = 0;
  loadedBytes = 0;
  storedBytes = 0;

  constructor(trace: IssueTrace, costs: Costs, { blocks, sms, residents, sharedBytes }: Filling) {
    const touched = touchedBy(trace, blocks);
    const all = touched.reduce((sum, { bytes }) => sum + bytes, 0);
    const share = all / costs.l2Bytes;
    const missing = Math.min(1, Math.max(0, (share - FITTING) / (OUTGROWN - FITTING)));
    const left = L1_BYTES - residents * (sharedBytes + costs.reservedSharedBytes);
    this.#costs = costs;
    this.#cache = new SectorCache(Math.max(LEAST_L1, left) / LINE_BYTES);
    this.#reuse = new Reuse(costs.l2Bytes, sms, all);
    this.#fromHbm = touched.map(({ blocksOfByte }) => missing / blocksOfByte);
    this.#isShared = touched.map(({ blocksOfByte }) => blocksOfByte > SHARED);
    this.#isWrittenBack = missing > 0;
    this.#l2CyclesPerByte = sms / costs.l2BytesPerCycle;
    this.#hbmCyclesPerByte = sms / costs.hbmBytesPerCycle;
    this.l2 = new MemoryQueue(costs, costs.l2QueueCycles);
    this.hbm = new MemoryQueue(costs, costs.hbmQueueCycles);
  }

  /** From when on an access can be given to the memory unit. */
  get freeAt(): number {
    return this.#unit - UNIT_QUEUE;
  }

  /** When the memory unit has begun with the last of so many rounds. */
  use(time: number, rounds: number): number {
    this.#unit = Math.max(time, this.#unit) + rounds;
    return this.#unit - 1;
  }

  /** When lines that a block loads are there. */
  load(time: number, lines: Float64Array, at: number, block: number, isUncached: boolean): number {
    const count = lines[at]!;
    let sectors = 0;
    let missed = 0;
    let requested = 0;
    let far = 0;
    let late = 0;
    for (let index = at + 2; index < at + 2 + count; index++) {
      const whole = Math.floor(lines[index]! / SECTORS);
      const mask = lines[index]! - whole * SECTORS;
      const buffer = Math.floor(whole / LINES);
      const isShared = this.#isShared[buffer]!;
      const line = isShared ? whole : whole + block * OWN_LINES;
      const missing = isUncached ? mask : this.#cache.load(line, mask);
      sectors += BITS[mask]!;
      if (missing === 0) continue;
      const bytes = BITS[missing]! * SECTOR_BYTES;
      missed += bytes;
      requested += bytes * (isShared ? this.#costs.sharedLoadShare : 1);
      const first = this.#reuse.load(line, missing) * this.#fromHbm[buffer]!;
      far += first;
      // What several blocks load, one of them loads first, and mostly another one.
      if (!isShared) late += first;
    }
    const begun = this.use(time, this.#rounds(count, sectors));
    if (missed === 0) return begun + this.#costs.cachedLoadCycles;
    this.loadedBytes += missed;
    return this.#fetch(begun, { missed, requested, far, late });
  }

  /** When bytes are there that the cache of the SM does not have, some of them from HBM. */
  #fetch(begun: number, { missed, requested, far, late }: Fetched): number {
    const { linkBytesPerCycle, globalLoadCycles, hbmLoadCycles } = this.#costs;
    this.#returned = Math.max(this.#returned, begun) + missed / linkBytesPerCycle;
    const served = this.l2.serve(begun, requested * this.#l2CyclesPerByte);
    const near = Math.max(this.#returned, served) + globalLoadCycles;
    if (far === 0) return near;
    const loaded = this.hbm.serve(begun, far * this.#hbmCyclesPerByte);
    this.#late += late;
    if (this.#late < SECTOR_BYTES) return near;
    this.#late = 0;
    return Math.max(near, loaded + hbmLoadCycles);
  }

  /** How long a warp waits that stores lines. */
  store(time: number, lines: Float64Array, at: number): number {
    const count = lines[at]!;
    let sectors = 0;
    for (let index = at + 2; index < at + 2 + count; index++)
      sectors += BITS[lines[index]! % SECTORS]!;
    const bytes = sectors * SECTOR_BYTES;
    this.storedBytes += bytes;
    this.#reuse.store(bytes);
    const begun = this.use(time, this.#rounds(count, sectors));
    // At least so many of them are not filled.
    const partial = ((bytes - lines[at + 1]!) / LACKING) * SECTOR_BYTES;
    const more = Math.max(0, partial) * (this.#costs.partialStoreShare - 1);
    this.l2.serve(begun, (bytes + more) * this.#l2CyclesPerByte);
    if (this.#isWrittenBack)
      this.hbm.serve(begun, bytes * this.#costs.writeBackShare * this.#hbmCyclesPerByte);
    return Math.max(0, Math.max(this.l2.served, this.hbm.served) - begun - STORES_AHEAD);
  }

  /** Rounds of the memory unit for lines of which so many sectors are accessed. */
  #rounds(lines: number, sectors: number): number {
    return Math.max(1, lines / this.#costs.linesPerCycle, (sectors * SECTOR_BYTES) / LINE_BYTES);
  }
}
