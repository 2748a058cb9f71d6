// Vector clocks in one flat array: a row per thread, barrier phase or unit, a column per thread.
import { BoundError } from '../../base/index.ts';

/** The most threads (roles and asynchronous chains) that a certificate keeps apart. */
export const MAX_WIDTH = 4096;
const FIRST_STRIDE = 8;

/**
 * Clocks of the happens-before relation of one run. Entry `u` of a row says how many events of
 * thread `u` come before what the row stands for. Thread `t` has row `t`; other rows are asked for.
 */
export class Clocks {
  /** All rows; row `r` starts at `r * stride`. Replaced when rows or columns are added. */
  data: Int32Array;
  stride: number;
  /** Threads so far: columns of every row. */
  width: number;
  #rows: number;
  /** By thread: its row. Threads that come late have rows behind those of barriers. */
  readonly threadRows: number[] = [];

  constructor(threads: number) {
    this.stride = Math.max(FIRST_STRIDE, threads);
    this.width = 0;
    this.#rows = 0;
    this.data = new Int32Array(this.stride * 16);
    for (let thread = 0; thread < threads; thread++) this.addThread();
  }

  /** Adds a row of zeros and returns its number. */
  addRow(): number {
    const row = this.#rows++;
    if (this.#rows * this.stride > this.data.length) {
      const larger = new Int32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    return row;
  }

  /** Adds a thread with a row and a column, and returns its number. */
  addThread(): number {
    if (this.width >= MAX_WIDTH) {
      throw new BoundError('width', MAX_WIDTH, 'too many operations are under way at one time');
    }
    if (this.width === this.stride) this.#widen();
    this.threadRows.push(this.addRow());
    return this.width++;
  }

  /** A new event of a thread; returns its number. */
  tick(thread: number): number {
    const at = this.threadRows[thread]! * this.stride + thread;
    return ++this.data[at]!;
  }

  /** The number of a thread's last event. */
  now(thread: number): number {
    return this.data[this.threadRows[thread]! * this.stride + thread]!;
  }

  /** Whether event `index` of `thread` comes before what `row` stands for. */
  knows(row: number, thread: number, index: number): boolean {
    return this.data[row * this.stride + thread]! >= index;
  }

  /** `to` learns everything that `from` knows. */
  join(to: number, from: number): void {
    const { data, stride, width } = this;
    const target = to * stride;
    const source = from * stride;
    for (let u = 0; u < width; u++) {
      const value = data[source + u]!;
      if (value > data[target + u]!) data[target + u] = value;
    }
  }

  copy(to: number, from: number): void {
    const { data, stride, width } = this;
    const target = to * stride;
    const source = from * stride;
    for (let u = 0; u < width; u++) data[target + u] = data[source + u]!;
  }

  clear(row: number): void {
    const { data, width } = this;
    const base = row * this.stride;
    for (let u = 0; u < width; u++) data[base + u] = 0;
  }

  #widen(): void {
    const stride = this.stride * 2;
    const wider = new Int32Array(Math.max(this.#rows + 8, 16) * stride);
    for (let row = 0; row < this.#rows; row++) {
      wider.set(this.data.subarray(row * this.stride, (row + 1) * this.stride), row * stride);
    }
    this.data = wider;
    this.stride = stride;
  }
}
