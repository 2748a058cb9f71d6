// Places for a number that no engine sees: variables and objects of every kind.

export interface Box {
  readonly get: () => number;
  readonly set: (value: number) => void;
}

class Private {
  #value = 0;
  static of(held: Private): number {
    return held.#value;
  }
  put(value: number): void {
    this.#value = value;
  }
}

function* remembering(): Generator<number, never, number | undefined> {
  let value = 0;
  for (;;) {
    const next: number | undefined = yield value;
    value = next ?? value;
  }
}

/** By kind: a new box, with 0 in it. */
export const BOXES = {
  variable() {
    let value = 0;
    return { get: () => value, set: (next) => void (value = next) };
  },
  object() {
    const held = { at: { value: 0 } };
    return { get: () => held.at.value, set: (next) => void (held.at.value = next) };
  },
  array() {
    const held: number[] = [];
    return { get: () => held.at(-1) ?? 0, set: (next) => void held.push(next) };
  },
  map() {
    const held = new Map<string, number>();
    return { get: () => held.get('value') ?? 0, set: (next) => void held.set('value', next) };
  },
  set() {
    const held = new Set<number>([0]);
    return {
      get: () => [...held][0]!,
      set: (next) => {
        held.clear();
        held.add(next);
      },
    };
  },
  weakMap() {
    const [held, key] = [new WeakMap<object, number>(), {}];
    return { get: () => held.get(key) ?? 0, set: (next) => void held.set(key, next) };
  },
  private() {
    const held = new Private();
    return { get: () => Private.of(held), set: (next) => held.put(next) };
  },
  closure() {
    let read = (): number => 0;
    return { get: () => read(), set: (next) => void (read = () => next) };
  },
  generator() {
    const held = remembering();
    held.next();
    return { get: () => held.next().value, set: (next) => void held.next(next) };
  },
} as const satisfies Readonly<Record<string, () => Box>>;

export type BoxKind = keyof typeof BOXES;
export const BOX_KINDS = Object.keys(BOXES) as BoxKind[];
