// A warp on an SM: where it is in its recorded instructions, and when its registers have values.
import type { IssuedInstruction, IssuedWarp } from '@poundlock/core/internal/program';
import { OpenLoads } from './open-loads.ts';

/** ptxas unrolls loops of up to so many instructions, so often. */
const SHORT = 48;
const UNROLLED = 4;

/** A place for a warp, which runs one after another. */
export class RunningWarp {
  readonly scheduler: number;
  block = 0;
  trace: IssuedWarp;
  step = 0;
  /** When its next instruction can be issued. */
  now = 0;
  /** To when loads can be moved up. */
  floor = 0;
  /** When the groups of its copies are there, and when the open one is; the same of products. */
  readonly copies: number[] = [];
  copied = 0;
  readonly products: number[] = [];
  product = 0;
  /** By register: when its value is there. */
  readonly ready: Float64Array;
  /** By register: when it could be there, if nothing but its inputs were waited for. */
  readonly early: Float64Array;
  readonly open: OpenLoads;
  /** By instruction that leads back: how often it was executed. */
  readonly #rounds = new Map<number, number>();

  constructor(scheduler: number, registers: number, trace: IssuedWarp) {
    this.scheduler = scheduler;
    this.ready = new Float64Array(registers);
    this.early = new Float64Array(registers);
    this.open = new OpenLoads(registers);
    this.trace = trace;
  }

  /** Begins with the first instruction of a warp of a block. */
  begin(block: number, trace: IssuedWarp, at: number): void {
    this.block = block;
    this.trace = trace;
    this.step = 0;
    this.now = this.floor = at;
    this.copies.length = this.products.length = 0;
    this.copied = this.product = 0;
    this.ready.fill(0);
    this.early.fill(0);
    this.open.clear();
    this.#rounds.clear();
  }

  /** An instruction of which ptxas leaves none: its results are what it reads. */
  copy({ reads, writes }: IssuedInstruction): void {
    const value = latest(this.ready, reads, 0);
    const from = latest(this.early, reads, 0);
    for (const register of writes) {
      this.ready[register] = value;
      this.early[register] = from;
    }
    this.open.copy(reads, writes, this.now);
  }

  /** When the values that an instruction reads are there; a load is issued before they are used. */
  readyFor({ reads, kind }: IssuedInstruction): number {
    return kind === 'load' ? this.now : latest(this.ready, reads, this.now);
  }

  /** From when on a load can be issued: ptxas moves it up to where its address is known. */
  earlyFor({ reads }: IssuedInstruction): number {
    return latest(this.early, reads, this.floor);
  }

  /** An instruction has its results at a time. */
  write({ reads, writes, latency }: IssuedInstruction, end: number, isLoaded: boolean): void {
    if (writes.length === 0) return;
    const early = isLoaded ? end : latest(this.early, reads, this.floor) + latency;
    for (const register of writes) {
      this.ready[register] = end;
      this.early[register] = early;
    }
  }

  /** Loads are moved up to a branch that is taken; a short loop is unrolled by ptxas. */
  branch(): void {
    const { at } = this.trace;
    const from = at[this.step]!;
    const to = at[this.step + 1] ?? Infinity;
    if (to === from + 1) return;
    const isShort = to <= from && from - to < SHORT;
    if (isShort) {
      const rounds = (this.#rounds.get(from) ?? 0) + 1;
      this.#rounds.set(from, rounds);
      if (rounds % UNROLLED !== 0) return;
    }
    this.floor = this.now;
  }

  /** Waits until at most so many groups are open. */
  wait(groups: number[], left: number): void {
    const ended = groups.length - left;
    for (let group = 0; group < ended; group++)
      if (groups[group]! > this.now) this.now = groups[group]!;
    if (ended > 0) groups.splice(0, ended);
    this.floor = this.now;
  }
}

function latest(times: Float64Array, registers: readonly number[], from: number): number {
  let last = from;
  for (const register of registers) if (times[register]! > last) last = times[register]!;
  return last;
}
