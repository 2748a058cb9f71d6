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

/** The kind of a span: bit 0 for a write, bit 1 for an ordered access. */
function kindOf({ isWrite, isOrdered }: Span): number {
  return (isWrite ? 1 : 0) | (isOrdered ? 2 : 0);
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
  spans: readonly Span[],
  order: Int32Array,
  endOf: (span: Span) => number,
  startOf: (span: Span) => number,
  found: Uint8Array,
): void {
  const furthest = [new Furthest(), new Furthest(), new Furthest(), new Furthest()];
  for (const index of order) {
    const span = spans[index]!;
    const kind = kindOf(span);
    const start = startOf(span);
    for (const other of AGAINST[kind]!)
      if (furthest[other]!.ofOthers(span.by) > start) found[index] = 1;
    furthest[kind]!.add(span.by, endOf(span));
  }
}

/** 1 for each span that meets one of someone else. */
export function meeting(spans: readonly Span[]): Uint8Array {
  const found = new Uint8Array(spans.length);
  const order = Int32Array.from(spans, (_, index) => index);
  order.sort((one, other) => spans[one]!.from - spans[other]!.from);
  // Those that begin before a span and end in it or behind it …
  mark(
    spans,
    order,
    ({ to }) => to,
    ({ from }) => from,
    found,
  );
  // … and those that begin in it: the same order backwards, with starts in the place of ends.
  order.reverse();
  mark(
    spans,
    order,
    ({ from }) => -from,
    ({ to }) => -to,
    found,
  );
  return found;
}
