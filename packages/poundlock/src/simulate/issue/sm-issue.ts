// An SM whose warps compete: blocks run recorded instructions side by side, one after another.
import { NotTimedError } from '@poundlock/core/internal/base';
import { meetingOf, warpsMeeting } from '@poundlock/core/internal/program';
import type { IssuedInstruction, IssueTrace } from '@poundlock/core/internal/program';
import type { Costs } from '../model.ts';
import type { MemoryPath } from './memory-path.ts';
import type { OpenLoad } from './open-loads.ts';
import { RunningWarp } from './running-warp.ts';
import { WarpQueue } from './warp-queue.ts';

const SCHEDULERS = 4;
const UNITS = { none: 0, fma: 1, alu: 2, double: 3, special: 4, tensor: 5, memory: 6 } as const;
const UNIT_COUNT = 7;

/** Warps that have come to a barrier of a block. */
interface Meeting {
  readonly waiting: number[];
  arrived: number;
  /** Whether it is of all warps that have not ended. */
  isOfAll: boolean;
}

interface RunningBlock {
  left: number;
  readonly meetings: Map<number, Meeting>;
}

/** Runs blocks on an SM, so many at a time. */
export class SmIssue {
  readonly #trace: IssueTrace;
  readonly #costs: Costs;
  readonly #memory: MemoryPath;
  readonly #units: Uint8Array;
  /** Warps of a block. */
  readonly #width: number;
  readonly #queue: WarpQueue;
  readonly #warps: readonly RunningWarp[];
  /** Places of blocks that are free. */
  readonly #free: number[];
  readonly #blocks: RunningBlock[] = [];
  /** When each scheduler, each of its units, and its products are free. */
  readonly #schedulers = new Float64Array(SCHEDULERS);
  readonly #busy = new Float64Array(SCHEDULERS * UNIT_COUNT);
  readonly #products = new Float64Array(SCHEDULERS);
  /** Slots of schedulers that instructions took, and cycles of tensor cores. */
  slots = 0;
  tensorCycles = 0;
  /** When blocks ended, in the order of their ends. */
  readonly ends: number[] = [];

  constructor(trace: IssueTrace, costs: Costs, memory: MemoryPath, residents: number) {
    const [block] = trace.blocks as [IssueTrace['blocks'][number]];
    this.#trace = trace;
    this.#costs = costs;
    this.#memory = memory;
    this.#units = Uint8Array.from(trace.instructions, ({ unit }) => UNITS[unit]);
    this.#width = block.length;
    this.#queue = new WarpQueue(residents * block.length + 1);
    this.#warps = Array.from(
      { length: residents * block.length },
      (_, at) => new RunningWarp(at % SCHEDULERS, trace.registers, block[at % block.length]!),
    );
    this.#free = Array.from({ length: residents }, (_, at) => residents - 1 - at);
  }

  /**
   * Runs so many blocks; those for which there is no place wait until others have ended.
   *
   * @throws NotTimedError if warps wait for others that do not come.
   */
  run(blocks: number): void {
    const { nextBlockCycles, multiprocessors } = this.#costs;
    const interval = nextBlockCycles * multiprocessors;
    let begun = 0;
    let next = 0;
    for (; begun < blocks && this.#free.length > 0; next += interval) this.#begin(begun++, next);
    while (this.#queue.size > 0) {
      const place = this.#queue.pop();
      const ended = this.#advance(place);
      if (ended < 0) continue;
      this.#free.push(Math.floor(place / this.#width));
      if (begun === blocks) continue;
      next = Math.max(next, ended);
      this.#begin(begun++, next);
      next += interval;
    }
    if (this.ends.length < blocks)
      throw new NotTimedError('not timed: its warps meet in another order than they were executed');
  }

  #begin(block: number, at: number): void {
    const place = this.#free.pop()! * this.#width;
    const { blocks } = this.#trace;
    const warps = blocks[block % blocks.length]!;
    this.#blocks[block] = { left: warps.length, meetings: new Map() };
    for (const [index, trace] of warps.entries()) {
      const warp = this.#warps[place + index]!;
      warp.begin(block, trace, at + this.#costs.blockBeginCycles);
      this.#queue.push(warp.now, place + index);
    }
  }

  /** Issues instructions of a warp until others are due: when its block ends, or -1. */
  #advance(place: number): number {
    const warp = this.#warps[place]!;
    const { instructions } = this.#trace;
    const { at } = warp.trace;
    for (; warp.step < at.length; warp.step++) {
      const number = at[warp.step]!;
      const instruction = instructions[number]!;
      if (instruction.slots === 0) {
        warp.copy(instruction);
        continue;
      }
      if (instruction.isConversion && warp.open.holds(instruction.reads)) {
        this.#convert(warp, instruction);
        continue;
      }
      const unit = this.#units[number]!;
      if (instruction.kind !== 'load') this.#loadNeeded(warp, instruction);
      const due = this.#dueAt(warp, instruction, unit);
      if (due > this.#queue.dueAt) {
        this.#queue.push(due, place);
        return -1;
      }
      this.#issue(warp, instruction, unit, due);
      if (this.#meets(warp, instruction, place)) {
        warp.step++;
        return -1;
      }
    }
    return this.#end(warp);
  }

  /** A value that was loaded is converted where the result is used: only its slot counts here. */
  #convert(warp: RunningWarp, instruction: IssuedInstruction): void {
    const { slots } = instruction;
    this.slots += slots;
    this.#schedulers[warp.scheduler]! += slots;
    warp.now += slots;
    warp.copy(instruction);
  }

  /** When an instruction can be issued. */
  #dueAt(warp: RunningWarp, instruction: IssuedInstruction, unit: number): number {
    const { scheduler } = warp;
    const free =
      unit === UNITS.memory ? this.#memory.freeAt : this.#busy[scheduler * UNIT_COUNT + unit]!;
    return Math.max(warp.readyFor(instruction), this.#schedulers[scheduler]!, free);
  }

  #issue(warp: RunningWarp, instruction: IssuedInstruction, unit: number, time: number): void {
    const { slots, cycles } = instruction;
    this.slots += slots;
    warp.now = time + slots;
    this.#schedulers[warp.scheduler] = warp.now;
    if (unit !== UNITS.memory) this.#busy[warp.scheduler * UNIT_COUNT + unit] = time + cycles;
    if (unit === UNITS.tensor) this.tensorCycles += cycles;
    if (instruction.kind === 'load') {
      const from = warp.open.add(instruction, warp.step, warp.earlyFor(instruction));
      if (from === null) warp.write(instruction, Infinity, true);
      else warp.write(instruction, this.#load(warp, from, instruction, warp.step), true);
      return;
    }
    this.#use(warp, instruction, time);
    const end = this.#endOf(warp, instruction, time);
    const isLoaded = unit === UNITS.memory || instruction.kind !== 'plain';
    warp.write(instruction, end, isLoaded);
  }

  /** Loads whose values an instruction needs wait for registers no longer. */
  #loadNeeded(warp: RunningWarp, { reads }: IssuedInstruction): void {
    const { open } = warp;
    for (let load = open.needed(reads); load !== null; load = open.needed(reads))
      this.#loadLater(warp, load, warp.now);
  }

  /** An instruction uses the values of loads: others get their registers. */
  #use(warp: RunningWarp, { reads, writes }: IssuedInstruction, time: number): void {
    const { open } = warp;
    open.use(reads, time);
    open.write(writes, time);
    for (let load = open.next(time); load !== null; load = open.next(time))
      this.#loadLater(warp, load, time);
  }

  #loadLater(
    warp: RunningWarp,
    { instruction, step, from, registers }: OpenLoad,
    at: number,
  ): void {
    const end = this.#load(warp, Math.max(from, at), instruction, step);
    for (const register of registers) warp.ready[register] = warp.early[register] = end;
  }

  /** When the results of an instruction are there. */
  #endOf(warp: RunningWarp, instruction: IssuedInstruction, time: number): number {
    const { kind, unit, cycles, latency } = instruction;
    const detail = warp.trace.detail[warp.step]!;
    switch (kind) {
      case 'plain':
        return unit === 'memory' ? this.#memory.use(time, cycles) + latency : time + latency;
      case 'branch':
        warp.branch();
        return time;
      case 'shared':
        return this.#memory.use(time, detail < -1 ? -1 - detail : cycles) + latency;
      case 'load':
      case 'atomic':
        return this.#load(warp, time, instruction, warp.step);
      case 'copy':
        warp.copied = Math.max(warp.copied, this.#load(warp, time, instruction, warp.step));
        return time;
      case 'store':
        if (detail < 0) return this.#memory.use(time, Math.max(1, -1 - detail));
        warp.now += this.#memory.store(time, warp.trace.lines, detail);
        return time;
      case 'commit':
        warp.copies.push(warp.copied);
        warp.copied = 0;
        return time;
      case 'commit multiply':
        warp.products.push(warp.product);
        warp.product = 0;
        return time;
      case 'wait':
        warp.wait(warp.copies, detail);
        return time;
      case 'wait multiply':
        warp.wait(warp.products, detail);
        return time;
      case 'multiply':
        warp.product = this.#multiply(warp, time, cycles) + this.#costs.mmaDrainCycles;
        return time;
      case 'arrive':
      case 'barrier':
        return time;
    }
  }

  #load(
    warp: RunningWarp,
    time: number,
    { isUncached, latency }: IssuedInstruction,
    step: number,
  ): number {
    const { lines, detail } = warp.trace;
    const at = detail[step]!;
    // Local memory is in the cache; generic addresses may be those of shared memory.
    if (at === -1) return this.#memory.use(time, 1) + this.#costs.cachedLoadCycles;
    if (at < 0) return this.#memory.use(time, -1 - at) + Math.min(latency, SHARED_LATENCY);
    return this.#memory.load(time, lines, at, warp.block, isUncached);
  }

  /** When a product that the tensor core makes beside its warp has ended. */
  #multiply(warp: RunningWarp, time: number, cycles: number): number {
    const begin = Math.max(time, this.#products[warp.scheduler]!);
    const busy = Math.max(begin + cycles - this.#costs.mmaQueueCycles, time);
    this.#busy[warp.scheduler * UNIT_COUNT + UNITS.tensor] = busy;
    return (this.#products[warp.scheduler] = begin + cycles);
  }

  /** Whether a warp has come to a barrier at which it waits. */
  #meets(warp: RunningWarp, { kind }: IssuedInstruction, place: number): boolean {
    if (kind !== 'barrier' && kind !== 'arrive') return false;
    const detail = warp.trace.detail[warp.step]!;
    const block = this.#blocks[warp.block]!;
    const expected = warpsMeeting(detail) || block.left;
    const id = detail - meetingOf(0, warpsMeeting(detail));
    let meeting = block.meetings.get(id);
    if (meeting === undefined)
      block.meetings.set(id, (meeting = { waiting: [], arrived: 0, isOfAll: false }));
    meeting.isOfAll = warpsMeeting(detail) === 0;
    meeting.arrived++;
    warp.floor = warp.now;
    if (kind === 'barrier') meeting.waiting.push(place);
    if (meeting.arrived >= expected) this.#release(meeting, warp.now);
    return kind === 'barrier';
  }

  #release(meeting: Meeting, now: number): void {
    const at = now + this.#costs.namedBarrierCycles;
    for (const place of meeting.waiting) {
      const warp = this.#warps[place]!;
      warp.now = warp.floor = at;
      this.#queue.push(at, place);
    }
    meeting.waiting.length = 0;
    meeting.arrived = 0;
  }

  /** A warp has ended: barriers no longer wait for it. When its block has ended, or -1. */
  #end({ block: number, now }: RunningWarp): number {
    const block = this.#blocks[number]!;
    block.left--;
    for (const meeting of block.meetings.values())
      if (meeting.isOfAll && meeting.arrived > 0 && meeting.arrived >= block.left)
        this.#release(meeting, now);
    if (block.left > 0) return -1;
    this.ends.push(now);
    return now;
  }
}

/** Of a load from shared memory: what a generic one takes at most, in cycles. */
const SHARED_LATENCY = 30;
