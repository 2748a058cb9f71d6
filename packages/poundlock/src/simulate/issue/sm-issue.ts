// An SM whose warps compete: blocks run the recorded instructions of the first one, side by side.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssuedInstruction, IssuedWarp, IssueTrace } from '@poundlock/core/internal/program';
import type { IssueCosts } from './costs.ts';
import { IssueHeap } from './issue-heap.ts';
import { SectorCache } from './sector-cache.ts';
import { SharedMemory } from './shared-memory.ts';
import { BITS } from './working-set.ts';

const SCHEDULERS = 4;
const UNITS = { none: 0, fma: 1, alu: 2, double: 3, special: 4, tensor: 5, memory: 6 } as const;
const UNIT_COUNT = 7;
const SECTOR_BYTES = 32;
const LINE_BYTES = 128;
/** ptxas unrolls loops of up to so many instructions, so often. */
const SHORT = 48;
const UNROLLED = 4;

/** How many of the bytes that miss the cache of the SM come from HBM, by buffer. */
export interface Memory {
  readonly fromHbm: readonly number[];
  /** By buffer: whether blocks touch the same bytes. */
  readonly isShared: readonly boolean[];
  /** Whether what is stored is written back to HBM while the launch runs. */
  readonly isWrittenBack: boolean;
  /** Cycles of an SM's share for a byte. */
  readonly l2CyclesPerByte: number;
  readonly hbmCyclesPerByte: number;
}

/** A warp that runs. */
class Running {
  block = 0;
  trace: IssuedWarp;
  step = 0;
  now = 0;
  floor = 0;
  loaded = 0;
  /** When the groups of its copies are there, and the open one. */
  readonly groups: number[] = [];
  group = 0;
  /** The same of its multiplications. */
  readonly products: number[] = [];
  product = 0;
  readonly ready: Float64Array;
  /** By register: when its value could be there, if nothing but its inputs were waited for. */
  readonly early: Float64Array;
  /** By instruction that leads back: how often it was executed. */
  readonly rounds = new Map<number, number>();
  scheduler = 0;

  constructor(registers: number, trace: IssuedWarp) {
    this.ready = new Float64Array(registers);
    this.early = new Float64Array(registers);
    this.trace = trace;
  }
}

/** Warps at a barrier of a block. */
interface Meeting {
  readonly waiting: number[];
  arrived: number;
}

interface RunningBlock {
  left: number;
  readonly meetings: Map<number, Meeting>;
}

/** When the blocks of an SM end, in the order of their begins. */
export class SmIssue {
  readonly #trace: IssueTrace;
  readonly #costs: IssueCosts;
  readonly #memory: Memory;
  readonly #units: Uint8Array;
  readonly #cache: SectorCache;
  readonly #heap: IssueHeap;
  readonly #warps: Running[] = [];
  readonly #idle: number[] = [];
  readonly #blocks: RunningBlock[] = [];
  readonly #scheduled = new Float64Array(SCHEDULERS);
  readonly #busy = new Float64Array(SCHEDULERS * UNIT_COUNT);
  readonly #width: number;
  readonly #products = new Float64Array(SCHEDULERS);
  /** Cycles of its tensor cores. */
  tensorCycles = 0;
  #memoryUnit = 0;
  #returned = 0;
  readonly #l2: SharedMemory;
  readonly #hbm: SharedMemory;
  /** What the L2 keeps for this SM. */
  readonly #kept: SectorCache;
  #missed = 0;
  /** Instructions issued. */
  issued = 0;
  readonly ends: number[] = [];

  constructor(trace: IssueTrace, costs: IssueCosts, memory: Memory, residents: number, cacheBytes: number) {
    this.#trace = trace;
    this.#costs = costs;
    this.#memory = memory;
    this.#units = Uint8Array.from(trace.instructions, ({ unit }) => UNITS[unit]);
    this.#cache = new SectorCache(cacheBytes / 128);
    this.#kept = new SectorCache(costs.l2Bytes / costs.multiprocessors / 128);
    const { l2QueueCycles, hbmQueueCycles, queueSteepness, loadCycles } = costs;
    this.#l2 = new SharedMemory(l2QueueCycles, queueSteepness, loadCycles);
    this.#hbm = new SharedMemory(hbmQueueCycles, queueSteepness, loadCycles);
    const width = trace.blocks[0]!.length;
    this.#width = width;
    this.#heap = new IssueHeap(residents * width + 1);
    for (let slot = 0; slot < residents * width; slot++) {
      const warp = new Running(trace.registers, trace.blocks[0]![slot % width]!);
      warp.scheduler = slot % SCHEDULERS;
      this.#warps.push(warp);
    }
    for (let slot = residents - 1; slot >= 0; slot--) this.#idle.push(slot);
  }

  /** Runs blocks, of which so many wait until others have ended. */
  run(blocks: number): void {
    const interval = this.#costs.blockNanoseconds * this.#costs.multiprocessors * (this.#costs.megahertz / 1000);
    let next = 0;
    let started = 0;
    for (; started < blocks && this.#idle.length > 0; started++, next += interval) this.#begin(started, next);
    while (this.#heap.size > 0) {
      const slot = this.#heap.pop();
      const ended = this.#advance(slot);
      if (ended < 0) continue;
      this.#idle.push(Math.floor(slot / this.#width));
      if (started < blocks) {
        next = Math.max(next, ended) ;
        this.#begin(started++, next);
        next += interval;
      }
    }
  }

  #begin(block: number, at: number): void {
    const slot = this.#idle.pop()!;
    const { blocks } = this.#trace;
    const warps = blocks[block % blocks.length]!;
    this.#blocks[block] = { left: warps.length, meetings: new Map() };
    for (const [index, trace] of warps.entries()) {
      const of = slot * this.#width + index;
      const warp = this.#warps[of]!;
      warp.block = block;
      warp.trace = trace;
      warp.step = 0;
      warp.now = warp.floor = warp.loaded = at + this.#costs.beginCycles;
      warp.groups.length = 0;
      warp.group = 0;
      warp.products.length = 0;
      warp.product = 0;
      warp.ready.fill(0);
      warp.early.fill(0);
      warp.rounds.clear();
      this.#heap.push(warp.now, of);
    }
  }

  /** Issues instructions of a warp until others are due; the time at which its block ends, or -1. */
  #advance(slot: number): number {
    const warp = this.#warps[slot]!;
    const { instructions } = this.#trace;
    const { at, detail } = warp.trace;
    for (;;) {
      if (warp.step >= at.length) return this.#end(warp);
      const number = at[warp.step]!;
      const instruction = instructions[number]!;
      if (instruction.slots === 0) {
        this.#copy(warp, instruction);
        warp.step++;
        continue;
      }
      const due = this.#dueAt(warp, instruction, this.#units[number]!);
      if (due > this.#heap.dueAt) {
        this.#heap.push(due, slot);
        return -1;
      }
      warp.now = due;
      const hasToWait = this.#issue(slot, warp, instruction, this.#units[number]!, detail[warp.step]!);
      warp.step++;
      if (hasToWait) return -1;
    }
  }

  /** An instruction that ptxas leaves none of. */
  #copy({ ready, early }: Running, { reads, writes }: IssuedInstruction): void {
    let value = 0;
    let from = 0;
    for (const register of reads) {
      if (ready[register]! > value) value = ready[register]!;
      if (early[register]! > from) from = early[register]!;
    }
    for (const register of writes) {
      ready[register] = value;
      early[register] = from;
    }
  }

  /** When an instruction can be issued. */
  #dueAt(warp: Running, { reads, kind }: IssuedInstruction, unit: number): number {
    let due = warp.now;
    if (kind !== 'load')
      for (const register of reads) if (warp.ready[register]! > due) due = warp.ready[register]!;
    const { scheduler } = warp;
    if (this.#scheduled[scheduler]! > due) due = this.#scheduled[scheduler]!;
    if (unit === UNITS.memory) {
      const free = this.#memoryUnit - this.#costs.memoryQueue;
      if (free > due) due = free;
    } else if (this.#busy[scheduler * UNIT_COUNT + unit]! > due) due = this.#busy[scheduler * UNIT_COUNT + unit]!;
    return due;
  }

  /** Issues an instruction; whether its warp has to wait for others. */
  #issue(slot: number, warp: Running, instruction: IssuedInstruction, unit: number, detail: number): boolean {
    const { slots, cycles, latency, writes, kind } = instruction;
    const time = warp.now;
    this.issued++;
    this.#scheduled[warp.scheduler] = time + slots;
    if (unit === UNITS.tensor && kind !== 'multiply') this.tensorCycles += cycles;
    if (unit !== UNITS.memory) this.#busy[warp.scheduler * UNIT_COUNT + unit] = time + cycles;
    warp.now = time + slots;
    let end = time + latency;
    switch (kind) {
      case 'plain':
        if (unit === UNITS.memory) end = Math.max(end, this.#useMemory(time, cycles) + latency - 1);
        break;
      case 'branch':
        this.#pass(warp);
        break;
      case 'shared':
        end = this.#useMemory(time, detail < -1 ? -1 - detail : Math.max(1, cycles)) + latency;
        break;
      case 'load':
        end = this.#load(warp, instruction, detail);
        break;
      case 'copy': {
        const there = this.#load(warp, instruction, detail);
        if (there > warp.group) warp.group = there;
        return false;
      }
      case 'store':
        this.#store(warp, detail, 1);
        return false;
      case 'atomic':
        end = this.#load(warp, instruction, detail);
        break;
      case 'commit':
        warp.groups.push(warp.group);
        warp.group = 0;
        break;
      case 'commit multiply':
        warp.products.push(warp.product);
        warp.product = 0;
        break;
      case 'wait':
        this.#wait(warp, warp.groups, detail);
        break;
      case 'wait multiply':
        this.#wait(warp, warp.products, detail);
        break;
      case 'multiply':
        warp.product = this.#multiply(warp, cycles) + this.#costs.multiplyCycles;
        return false;
      case 'arrive':
      case 'barrier':
        return this.#meet(slot, warp, kind, detail);
    }
    if (writes.length === 0) return false;
    let early = warp.floor;
    for (const register of instruction.reads)
      if (warp.early[register]! > early) early = warp.early[register]!;
    const isLoaded = kind !== 'plain' || unit === UNITS.memory;
    for (const register of writes) {
      warp.ready[register] = end;
      warp.early[register] = isLoaded ? end : early + latency;
    }
    return false;
  }

  /** Waits until at most so many groups are open. */
  #wait(warp: Running, groups: number[], left: number): void {
    const open = groups.length - left;
    for (let group = 0; group < open; group++)
      if (groups[group]! > warp.now) warp.now = groups[group]!;
    if (open > 0) groups.splice(0, open);
    warp.floor = warp.now;
  }

  /** When a multiplication that the tensor core makes beside its warp has ended. */
  #multiply(warp: Running, cycles: number): number {
    const at = warp.scheduler * UNIT_COUNT + UNITS.tensor;
    const begin = Math.max(warp.now, this.#products[warp.scheduler]!);
    this.#busy[at] = Math.max(begin + cycles - this.#costs.multiplyQueue, warp.now);
    this.tensorCycles += cycles;
    return (this.#products[warp.scheduler] = begin + cycles);
  }

  /** Loads are moved up to a branch; a short loop is unrolled by ptxas. */
  #pass(warp: Running): void {
    const { at } = warp.trace;
    const number = at[warp.step]!;
    const next = at[warp.step + 1] ?? Infinity;
    const isBack = next <= number && number - next < SHORT;
    if (!isBack) {
      // What is passed over once in a while ends no unrolled loop.
      if (next !== number + 1) warp.floor = warp.now;
      return;
    }
    const rounds = (warp.rounds.get(number) ?? 0) + 1;
    warp.rounds.set(number, rounds);
    if (rounds % UNROLLED === 0) warp.floor = warp.now;
  }

  /** When the memory unit has begun with an access of so many rounds. */
  #useMemory(time: number, rounds: number): number {
    const begin = Math.max(time, this.#memoryUnit);
    this.#memoryUnit = begin + rounds;
    return this.#memoryUnit - 1;
  }

  /** Rounds of the memory unit for lines of which so many sectors are accessed. */
  #roundsOf(lines: number, sectors: number): number {
    return Math.max(1, lines / this.#costs.linesPerCycle, (sectors * SECTOR_BYTES) / LINE_BYTES);
  }

  #load(warp: Running, { kind, reads, isUncached, latency }: IssuedInstruction, detail: number): number {
    let start = warp.now;
    if (kind === 'load') {
      // It is issued as early as its address is there: ptxas moves it up.
      let early = warp.floor;
      for (const register of reads) if (warp.early[register]! > early) early = warp.early[register]!;
      start = early;
    }
    if (detail < 0) return this.#useMemory(start, Math.max(1, -1 - detail)) + (detail === -1 ? this.#costs.l1HitCycles : 23);
    const { lines } = warp.trace;
    const count = lines[detail]!;
    const { l1HitCycles, l2HitCycles, hbmCycles, smBytesPerCycle } = this.#costs;
    const { fromHbm, l2CyclesPerByte, hbmCyclesPerByte } = this.#memory;
    let sectors = 0;
    let bytes = 0;
    let far = 0;
    for (let index = detail + 1; index <= detail + count; index++) {
      const whole = Math.floor(lines[index]! / SECTORS);
      const mask = lines[index]! - whole * SECTORS;
      const buffer = Math.floor(whole / LINES);
      const line = this.#memory.isShared[buffer] === true ? whole : whole + warp.block * LINES * 64;
      const missing = isUncached ? mask : this.#cache.load(line, mask);
      sectors += BITS[mask]!;
      bytes += BITS[missing]! * SECTOR_BYTES;
      if (missing !== 0)
        far += BITS[this.#kept.load(line, missing)]! * SECTOR_BYTES * fromHbm[buffer]!;
    }
    const begun = this.#useMemory(start, this.#roundsOf(count, sectors));
    if (bytes === 0) return begun + l1HitCycles;
    this.#returned = Math.max(this.#returned, begun) + bytes / smBytesPerCycle;
    const served = this.#l2.serve(begun, bytes * l2CyclesPerByte);
    let end = Math.max(this.#returned, served) + l2HitCycles;
    if (far > 0) {
      this.#missed += far;
      const loaded = this.#hbm.serve(begun, far * hbmCyclesPerByte);
      if (this.#missed >= SECTOR_BYTES) {
        this.#missed = 0;
        end = Math.max(end, loaded + hbmCycles);
      }
    }
    return end + latency * 0;
  }

  #store(warp: Running, detail: number, _weight: number): void {
    if (detail < 0) {
      this.#useMemory(warp.now, Math.max(1, -1 - detail));
      return;
    }
    const { lines } = warp.trace;
    const count = lines[detail]!;
    let sectors = 0;
    for (let index = detail + 1; index <= detail + count; index++) sectors += BITS[lines[index]! % SECTORS]!;
    const bytes = sectors * SECTOR_BYTES;
    const begun = this.#useMemory(warp.now, this.#roundsOf(count, sectors));
    this.#l2.serve(begun, bytes * this.#memory.l2CyclesPerByte);
    if (this.#memory.isWrittenBack)
      this.#hbm.serve(begun, bytes * this.#memory.hbmCyclesPerByte * this.#costs.storedWeight);
    // What is stored waits in a queue that is not endless.
    const late = Math.max(this.#l2.servedAt, this.#hbm.servedAt) - begun - 4000;
    if (late > 0) warp.now += late;
  }

  #meet(slot: number, warp: Running, kind: 'barrier' | 'arrive', id: number): boolean {
    const block = this.#blocks[warp.block]!;
    let meeting = block.meetings.get(id);
    if (meeting === undefined) block.meetings.set(id, (meeting = { waiting: [], arrived: 0 }));
    meeting.arrived++;
    warp.floor = warp.now;
    if (kind === 'barrier') meeting.waiting.push(slot);
    const hasToWait = kind === 'barrier';
    if (meeting.arrived >= this.#expected(warp, id)) this.#release(meeting, warp.now);
    return hasToWait;
  }

  /** Warps of a block that meet at a barrier: those that have not ended. */
  #expected(warp: Running, _id: number): number {
    return this.#blocks[warp.block]!.left;
  }

  #release(meeting: Meeting, now: number): void {
    const at = now + this.#costs.barrierCycles;
    for (const slot of meeting.waiting) {
      const warp = this.#warps[slot]!;
      warp.now = warp.floor = at;
      this.#heap.push(at, slot);
    }
    meeting.waiting.length = 0;
    meeting.arrived = 0;
  }

  #end(warp: Running): number {
    const block = this.#blocks[warp.block]!;
    block.left--;
    const now = warp.now;
    for (const meeting of block.meetings.values())
      if (meeting.arrived > 0 && meeting.arrived >= block.left) this.#release(meeting, now);
    if (block.left > 0) return -1;
    this.ends.push(now);
    return now;
  }
}
