// An SM whose warps compete: blocks run the recorded instructions of the first one, side by side.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssuedInstruction, IssuedWarp, IssueTrace } from '@poundlock/core/internal/program';
import type { IssueCosts } from './costs.ts';
import { IssueHeap } from './issue-heap.ts';
import { SectorCache } from './sector-cache.ts';
import { BITS } from './working-set.ts';

const SCHEDULERS = 4;
const UNITS = { none: 0, fma: 1, alu: 2, double: 3, special: 4, tensor: 5, memory: 6 } as const;
const UNIT_COUNT = 7;
const SECTOR_BYTES = 32;

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
  readonly ready: Float64Array;
  scheduler = 0;

  constructor(registers: number, trace: IssuedWarp) {
    this.ready = new Float64Array(registers);
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
  #memoryUnit = 0;
  #returned = 0;
  #l2 = 0;
  #hbm = 0;
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
    this.#heap = new IssueHeap(residents * trace.warps.length + 1);
    for (let slot = 0; slot < residents * trace.warps.length; slot++) {
      const warp = new Running(trace.registers, trace.warps[slot % trace.warps.length]!);
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
      this.#idle.push(Math.floor(slot / this.#trace.warps.length));
      if (started < blocks) {
        next = Math.max(next, ended) ;
        this.#begin(started++, next);
        next += interval;
      }
    }
  }

  #begin(block: number, at: number): void {
    const slot = this.#idle.pop()!;
    const { warps } = this.#trace;
    this.#blocks[block] = { left: warps.length, meetings: new Map() };
    for (const [index, trace] of warps.entries()) {
      const of = slot * warps.length + index;
      const warp = this.#warps[of]!;
      warp.block = block;
      warp.trace = trace;
      warp.step = 0;
      warp.now = warp.floor = warp.loaded = at + this.#costs.beginCycles;
      warp.groups.length = 0;
      warp.group = 0;
      warp.ready.fill(0);
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
        let value = 0;
        for (const register of instruction.reads) value = Math.max(value, warp.ready[register]!);
        for (const register of instruction.writes) warp.ready[register] = value;
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
    if (unit !== UNITS.memory) this.#busy[warp.scheduler * UNIT_COUNT + unit] = time + cycles;
    warp.now = time + slots;
    let end = time + latency;
    switch (kind) {
      case 'plain':
        if (unit === UNITS.memory) end = Math.max(end, this.#useMemory(time, cycles) + latency - 1);
        break;
      case 'branch':
        warp.floor = warp.now;
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
      case 'wait': {
        const open = warp.groups.length - detail;
        for (let group = 0; group < open; group++) if (warp.groups[group]! > warp.now) warp.now = warp.groups[group]!;
        if (open > 0) warp.groups.splice(0, open);
        warp.floor = warp.now;
        break;
      }
      case 'arrive':
      case 'barrier':
        return this.#meet(slot, warp, kind, detail);
    }
    for (const register of writes) warp.ready[register] = end;
    return false;
  }

  /** When the memory unit has begun with an access of so many rounds. */
  #useMemory(time: number, rounds: number): number {
    const begin = Math.max(time, this.#memoryUnit);
    this.#memoryUnit = begin + rounds;
    return this.#memoryUnit - 1;
  }

  #load(warp: Running, { kind, reads, isUncached, latency }: IssuedInstruction, detail: number): number {
    let start = warp.now;
    if (kind === 'load') {
      // It is issued as early as its address is there: ptxas moves it up.
      let early = warp.floor;
      for (const register of reads) if (warp.ready[register]! > early) early = warp.ready[register]!;
      start = Math.max(Math.min(start, early), early);
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
      far += BITS[missing]! * SECTOR_BYTES * fromHbm[buffer]!;
    }
    const begun = this.#useMemory(start, Math.max(count, (sectors * SECTOR_BYTES) / 128));
    if (bytes === 0) return begun + l1HitCycles;
    this.#returned = Math.max(this.#returned, begun) + bytes / smBytesPerCycle;
    this.#l2 = Math.max(this.#l2, begun) + bytes * l2CyclesPerByte;
    let end = Math.max(this.#returned, this.#l2) + l2HitCycles;
    if (far > 0) {
      this.#missed += far;
      this.#hbm = Math.max(this.#hbm, begun) + far * hbmCyclesPerByte;
      if (this.#missed >= SECTOR_BYTES) {
        this.#missed = 0;
        end = Math.max(end, this.#hbm + hbmCycles);
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
    const begun = this.#useMemory(warp.now, Math.max(count, bytes / 128));
    this.#l2 = Math.max(this.#l2, begun) + bytes * this.#memory.l2CyclesPerByte;
    if (this.#memory.isWrittenBack)
      this.#hbm = Math.max(this.#hbm, begun) + bytes * this.#memory.hbmCyclesPerByte * this.#costs.storedWeight;
    // What is stored waits in a queue that is not endless.
    const late = Math.max(this.#l2, this.#hbm) - begun - 4000;
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
