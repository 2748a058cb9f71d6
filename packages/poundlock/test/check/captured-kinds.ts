// Ways to keep a number between rounds of a loop, outside of its state.

/** Something that counts: each call returns how often it was called. */
export type Counter = () => number;

class Field {
  count = 0;
}

class Private {
  #count = 0;
  next(): number {
    return ++this.#count;
  }
}

function* naturals(): Generator<number, never> {
  for (let n = 1; ; n++) yield n;
}

/** By kind of the captured thing: a new counter. */
export const COUNTERS = {
  number() {
    let count = 0;
    return () => ++count;
  },
  string() {
    let text = '';
    return () => (text += '.').length;
  },
  bigint() {
    let count = 0n;
    return () => Number(++count);
  },
  object() {
    const state = { nested: { count: 0 } };
    return () => ++state.nested.count;
  },
  array() {
    const list: number[] = [];
    return () => list.push(0);
  },
  'typed array'() {
    const words = new Int32Array(1);
    return () => ++words[0]!;
  },
  Map() {
    const map = new Map<string, number>();
    return () => map.set('n', (map.get('n') ?? 0) + 1).get('n')!;
  },
  Set() {
    const set = new Set<object>();
    return () => set.add({}).size;
  },
  WeakMap() {
    const key = {};
    const map = new WeakMap<object, number>();
    return () => map.set(key, (map.get(key) ?? 0) + 1).get(key)!;
  },
  'class field'() {
    const held = new Field();
    return () => ++held.count;
  },
  'private field'() {
    const held = new Private();
    return () => held.next();
  },
  closure() {
    const add = (by: number) => {
      const sum =
        (count: number): ((n: number) => number) =>
        (n) =>
          (count += n) - n + by;
      return sum(0);
    };
    const next = add(1);
    return () => next(1);
  },
  generator() {
    const numbers = naturals();
    return () => numbers.next().value;
  },
  'replaced function'() {
    let next = (): number => 1;
    return () => {
      const count = next();
      next = () => count + 1;
      return count;
    };
  },
} as const satisfies Readonly<Record<string, () => Counter>>;
