// A symbolic parameter: stands for every number. A count can take it, any other use is recorded.
import { currentPosition, InputError, type Position } from '../base/index.ts';

/** The symbolic parameter that a stand-in is of. */
const SYMBOLIC = new WeakMap<object, SymbolicParameter>();

/** The symbolic parameter that `value` stands for; `undefined` for a plain value. */
export function symbolicOf(value: unknown): SymbolicParameter | undefined {
  return typeof value === 'object' && value !== null ? SYMBOLIC.get(value) : undefined;
}

/**
 * Given to a kernel in place of a number. Whatever JavaScript lets an object notice (arithmetic,
 * comparison by size, conversion to text, a property) is a use as a plain number: its place is
 * recorded, and the kernel ends there.
 *
 * JavaScript lets no object notice `===`, `switch`, `includes`, the key of a Map, `typeof`,
 * `Number.isInteger`, or a test of its truth.
 */
export class SymbolicParameter {
  readonly name: string;
  /** The least value that it stands for. */
  readonly least: number;
  /** What a kernel gets. */
  readonly standIn: object;
  /** Where it was first used as a plain number; `null` while it was not. */
  usedAt: Position | null | undefined = null;
  /** The calls of the program that count with it, by themselves or by what they call. */
  readonly countedAt: Position[] = [];

  constructor(name: string, least = 0) {
    this.name = name;
    this.least = least;
    const use = (): never => this.use();
    this.standIn = new Proxy(Object.create(null) as object, {
      get: use,
      has: use,
      set: use,
      ownKeys: use,
      getPrototypeOf: use,
      getOwnPropertyDescriptor: use,
      defineProperty: use,
      deleteProperty: use,
      setPrototypeOf: use,
      isExtensible: use,
      preventExtensions: use,
    });
    SYMBOLIC.set(this.standIn, this);
  }

  /** Records that a count takes it. */
  counted(): void {
    const place = currentPosition();
    if (place !== undefined) this.countedAt.push(place);
  }

  get isUsed(): boolean {
    return this.usedAt !== null;
  }

  /** Records that its value is needed, which ends what needs it. */
  use(): never {
    if (this.usedAt === null) this.usedAt = currentPosition();
    throw new InputError(`${this.name} is used as a plain number`, this.usedAt);
  }
}
