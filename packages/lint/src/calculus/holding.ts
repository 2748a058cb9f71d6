// Functions in which nothing can be owed: no operation makes a handle, and no callee gives one.
import type { CoreFunction, Step } from './core.ts';

export class Holding {
  readonly #body: (f: unknown) => CoreFunction | undefined;
  readonly #known = new Map<unknown, boolean>();
  /** Functions that are looked at, and whether anything rests on what is assumed of them. */
  readonly #pending = new Map<unknown, boolean>();

  constructor(body: (f: unknown) => CoreFunction | undefined) {
    this.#body = body;
  }

  /** Whether a function may get, make or pass on something that has to be released. */
  of(f: unknown): boolean {
    const known = this.#known.get(f);
    if (known !== undefined) {
      if (this.#pending.has(f)) this.#pending.set(f, true);
      return known;
    }
    // What only calls itself gives nothing.
    const { size } = this.#known;
    this.#known.set(f, false);
    this.#pending.set(f, false);
    const fn = this.#body(f);
    const holds = fn !== undefined && this.in(fn);
    const isUsed = this.#pending.get(f) === true;
    this.#pending.delete(f);
    if (!holds) return false;
    // What was found meanwhile rested on the assumption that this function gives nothing.
    if (isUsed) this.forgetSince(size, false);
    this.#known.set(f, true);
    return true;
  }

  /** How many functions are known. */
  mark(): number {
    return this.#known.size;
  }

  /** Forgets what was found since then, or what was found to be so. */
  forgetSince(mark: number, what?: boolean): void {
    for (const f of [...this.#known.keys()].slice(mark)) {
      if (what !== undefined && this.#known.get(f) !== what) continue;
      if (!this.#pending.has(f)) this.#known.delete(f);
    }
  }

  in({ parameters, fields, body }: CoreFunction): boolean {
    if (fields.length > 0) return true;
    if (parameters.some(({ holds }) => holds === 'handle' || holds === 'many')) return true;
    return this.#steps(body);
  }

  #steps(value: unknown): boolean {
    if (Array.isArray(value)) return value.some((each) => this.#steps(each));
    if (typeof value !== 'object' || value === null || !('k' in value)) return false;
    return this.#isSource(value as Step) || Object.values(value).some((part) => this.#part(part));
  }

  /** Blocks and conditions in an operation; functions and places in the sources are none. */
  #part(part: unknown): boolean {
    const isStep = typeof part === 'object' && part !== null && 'k' in part;
    return (Array.isArray(part) || isStep) && this.#steps(part);
  }

  #isSource(step: Step): boolean {
    switch (step.k) {
      case 'acquire':
      case 'next':
      case 'promise':
      case 'release':
      case 'using':
        return true;
      case 'part':
      case 'view':
        return step.outside === 'handle' || step.outside === 'optional';
      case 'refuse':
        return step.ys === undefined;
      case 'invoke':
        return step.result === 'owned' || step.result === 'optional';
      case 'closure':
        return this.of(step.f);
      case 'call':
        return step.result === 'owned' || step.result === 'optional' || this.of(step.f);
      default:
        return false;
    }
  }
}
