// Which of many ranges of memory meet a range of someone else, so that their order matters: one of
// the two is a write, and not both are ordered accesses.

/** A range that someone reads or writes. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Who does: spans of one do not meet. */
  readonly by: number;
  readonly isWrite: boolean;
  /** Whether it is a volatile or an atomic access. */
  readonly isOrdered: boolean;
}

/** Many spans, as columns. */
export class SpanTable {
  #from = new Float64Array(64);
  #to = new Float64Array(64);
  #by = new Int32Array(64);
  #kind = new Uint8Array(64);
  length = 0;

  add({ from, to, by, isWrite, isOrdered }: Span): void {
    if (this.length === this.#by.length) this.#grow();
    const index = this.length++;
    this.#from[index] = from;
    this.#to[index] = to;
    this.#by[index] = by;
    this.#kind[index] = (isWrite ? 1 : 0) | (isOrdered ? 2 : 0);
  }

  #grow(): void {
    const size = this.length * 2;
    const [from, to, by, kind] = [this.#from, this.#to, this.#by, this.#kind];
    (this.#from = new Float64Array(size)).set(from);
    (this.#to = new Float64Array(size)).set(to);
    (this.#by = new Int32Array(size)).set(by);
    (this.#kind = new Uint8Array(size)).set(kind);
  }

  from(index: number): number {
    return this.#from[index]!;
  }

  to(index: number): number {
    return this.#to[index]!;
  }

  by(index: number): number {
    return this.#by[index]!;
  }

  /** The kind of a span: bit 0 for a write, bit 1 for an ordered access. */
  kind(index: number): number {
    return this.#kind[index]!;
  }

  /** Indices in the order of first bytes. */
  order(): Int32Array {
    const { length } = this;
    let [least, most] = [Infinity, -Infinity];
    for (let index = 0; index < length; index++) {
      least = Math.min(least, this.#from[index]!);
      most = Math.max(most, this.#from[index]!);
    }
    const order = new Int32Array(length);
    if ((most - least + 1) * length < Number.MAX_SAFE_INTEGER) {
      // A number for each, which sorts as fast as numbers do.
      const keys = new Float64Array(length);
      for (let index = 0; index < length; index++)
        keys[index] = (this.#from[index]! - least) * length + index;
      keys.sort();
      for (let index = 0; index < length; index++) order[index] = keys[index]! % length;
      return order;
    }
    for (let index = 0; index < length; index++) order[index] = index;
    return order.sort((one, other) => this.#from[one]! - this.#from[other]! || one - other);
  }
}

/** The furthest ends so far, of two that are not one. */
class Furthest {
  #end = -Infinity;
  #by = -1;
  #otherEnd = -Infinity;

  add(by: number, end: number): void {
    if (by === this.#by) this.#end = Math.max(this.#end, end);
    else if (end > this.#end) {
      this.#otherEnd = this.#end;
      this.#end = end;
      this.#by = by;
    } else this.#otherEnd = Math.max(this.#otherEnd, end);
  }

  /** The furthest end of anyone else. */
  ofOthers(by: number): number {
    return by === this.#by ? this.#otherEnd : this.#end;
  }
}

const PLAIN_READ = 0;
const PLAIN_WRITE = 1;
const ORDERED_READ = 2;
const ORDERED_WRITE = 3;

/** By kind: the kinds that it must not meet. */
const AGAINST = [
  [PLAIN_WRITE, ORDERED_WRITE],
  [PLAIN_READ, PLAIN_WRITE, ORDERED_READ, ORDERED_WRITE],
  [PLAIN_WRITE],
  [PLAIN_READ, PLAIN_WRITE],
] as const;

/** Marks spans that one before them in the order reaches, of someone else. */
function mark(
  spans: SpanTable,
  order: Int32Array,
  endOf: (index: number) => number,
  startOf: (index: number) => number,
  found: Uint8Array,
): void {
  const furthest = [new Furthest(), new Furthest(), new Furthest(), new Furthest()];
  for (const index of order) {
    const kind = spans.kind(index);
    const by = spans.by(index);
    const start = startOf(index);
    for (const other of AGAINST[kind as 0 | 1 | 2 | 3])
      if (furthest[other]!.ofOthers(by) > start) found[index] = 1;
    furthest[kind]!.add(by, endOf(index));
  }
}

/** 1 for each span that meets one of someone else. */
export function meeting(spans: readonly Span[]): Uint8Array {
  const table = new SpanTable();
  for (const span of spans) table.add(span);
  return meetingIn(table);
}

/** The same of a table. */
export function meetingIn(spans: SpanTable): Uint8Array {
  const found = new Uint8Array(spans.length);
  const order = spans.order();
  const [from, to] = [spans.from.bind(spans), spans.to.bind(spans)];
  // Those that begin before a span and end in it or behind it …
  mark(spans, order, to, from, found);
  // … and those that begin in it: the same order backwards, with starts in the place of ends.
  order.reverse();
  mark(
    spans,
    order,
    (index) => -from(index),
    (index) => -to(index),
    found,
  );
  return found;
}
