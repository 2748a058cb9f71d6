// At which level the last write of each byte of shared memory is known, where all threads know it:
// whether asynchronous units may read what a thread wrote (K04).
import type { Ranges, Step } from '../steps/step.ts';
import { mix, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import { keyOfStep } from './step-key.ts';

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;
/** Written by an asynchronous unit, or by threads before a proxy fence. */
const FENCED = 1;
/** Set in all other numbers. */
const NAMED = 2;
const byte: Wide = { low: 0, high: 0 };

/** The level of each byte, slice by slice: a slice is what warps do between two barriers of all. */
export class Levels {
  /** 0: not written. Else {@link FENCED}, or a number for the steps of the slice that wrote it. */
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  /** 1 where a thread has read what was written: the write is over (H1). */
  readonly #isRead: Uint8Array;

  constructor(bytes: number) {
    this.#low = new Uint32Array(bytes);
    this.#high = new Uint32Array(bytes);
    this.#isRead = new Uint8Array(bytes);
  }

  /** Adds the steps of a slice, of each warp, and what copies by threads wrote that end in it. */
  add(slices: readonly (readonly Step[])[], arrived: readonly Ranges[]): void {
    const all = slices.flat();
    if (all.some(isProxyFence)) this.#fence();
    for (const step of all)
      if (step.op === 'copy') this.#write(step.writes, { low: FENCED, high: 0 });
    const name = { low: 0, high: 0 };
    start(name, 2);
    for (const steps of slices) {
      mix(name, steps.length, 0, 0);
      for (const step of steps) {
        const { low, high } = keyOfStep(step);
        mix(name, low, high, 0);
      }
    }
    name.low = (name.low | NAMED) >>> 0;
    for (const ranges of arrived) this.#write(ranges, name);
    for (const step of all) {
      if (step.op === 'access') this.#write(step.writes, name);
      // I05: what is done to a barrier touches its bytes, where data lies, too.
      if ('barrier' in step) this.#write([step.barrier, step.barrier + BARRIER_BYTES], name);
      if (step.op === 'copy')
        for (const { barrier } of step.signals)
          this.#write([barrier, barrier + BARRIER_BYTES], name);
    }
    // What the slice wrote itself is named by all that it did.
    for (const step of all)
      if (step.op === 'access' && step.isPossible !== true) this.#read(step.reads, name);
  }

  /** Adds all levels to a state. */
  addTo(state: Wide): void {
    mix(state, this.#sum.low, this.#sum.high, 0);
  }

  /** All levels as one number, of that of each byte. */
  readonly #sum: Wide = { low: 0, high: 0 };

  #set(at: number, low: number, high: number, isRead: 0 | 1): void {
    this.#toggle(at);
    this.#low[at] = low;
    this.#high[at] = high;
    this.#isRead[at] = isRead;
    this.#toggle(at);
  }

  #toggle(at: number): void {
    if (this.#low[at] === 0) return;
    start(byte, at);
    mix(byte, this.#low[at]!, this.#high[at]!, this.#isRead[at]!);
    this.#sum.low = (this.#sum.low ^ byte.low) >>> 0;
    this.#sum.high = (this.#sum.high ^ byte.high) >>> 0;
  }

  /** A thread that knows all writes so far makes them known to asynchronous units. */
  #fence(): void {
    for (let at = 0; at < this.#low.length; at++) {
      if (this.#low[at] !== 0 && this.#low[at] !== FENCED) this.#set(at, FENCED, 0, 0);
    }
  }

  #write(ranges: readonly number[], { low, high }: Wide): void {
    for (let index = 0; index < ranges.length; index += 2) {
      for (let at = ranges[index]!; at < ranges[index + 1]!; at++)
        if (this.#low[at] !== low || this.#high[at] !== high || this.#isRead[at] === 1)
          this.#set(at, low, high, 0);
    }
  }

  #read(ranges: readonly number[], { low, high }: Wide): void {
    for (let index = 0; index < ranges.length; index += 2) {
      for (let at = ranges[index]!; at < ranges[index + 1]!; at++) {
        const [one, other] = [this.#low[at]!, this.#high[at]!];
        const isOpen = (one & NAMED) !== 0 && (one !== low || other !== high);
        if (isOpen && this.#isRead[at] === 0) this.#set(at, one, other, 1);
      }
    }
  }
}

function isProxyFence(step: Step): boolean {
  return step.op === 'fence' && step.fence === 'proxy.async' && step.space !== 'global';
}
