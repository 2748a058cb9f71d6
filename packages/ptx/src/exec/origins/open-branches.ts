// Branches that blocks take in too many ways for a class each: in a run of their own, what decides
// them is unknown data, whose ways stand for those of all blocks.
import type { Origin } from '../../values/origin.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { originOf } from './expressions.ts';

const SEED = seedOf('what a block decides');

const out: Wide = { low: 0, high: 0 };

/** Numbers of expressions: those that are made alike have one. */
class Numbers {
  readonly #known = new Map<Origin, number>();
  readonly #byText = new Map<string, number>();
  readonly #rules = new Map<unknown, number>();

  of(root: Origin): number {
    const stack = [root];
    for (let origin = stack.at(-1); origin !== undefined; origin = stack.at(-1)) {
      const open = origin.inputs.filter((input) => !this.#known.has(input));
      if (open.length > 0) stack.push(...open);
      else {
        if (!this.#known.has(origin)) this.#known.set(origin, this.#numberOf(origin));
        stack.pop();
      }
    }
    return this.#known.get(root)!;
  }

  #numberOf(origin: Origin): number {
    const { rule, inputs, isLike } = origin;
    // What is not its rule and its inputs alone has a number of its own.
    if (isLike !== undefined) return this.#ruleOf(origin);
    const own = inputs.map((input) => this.#known.get(input)!);
    const text = `${this.#ruleOf(rule)} ${own.join()}`;
    let number = this.#byText.get(text);
    if (number === undefined) this.#byText.set(text, (number = -1 - this.#byText.size));
    return number;
  }

  #ruleOf(rule: unknown): number {
    let number = this.#rules.get(rule);
    if (number === undefined) this.#rules.set(rule, (number = this.#rules.size));
    return number;
  }
}

/** The branches of a run of which nothing is known in its block. */
export class OpenBranches {
  readonly #at: ReadonlySet<number>;
  readonly #numbers = new Numbers();

  constructor(at: ReadonlySet<number>) {
    this.#at = at;
  }

  /** Makes the predicate of such a branch unknown data, alike where it is; whether it did. */
  forget(registers: RegisterFile, register: number, at: number, lanes: number): boolean {
    if (!this.#at.has(at)) return false;
    const origin = originOf(registers, register);
    if (origin.axes === 0 || origin.evaluate === null) return false;
    start(out, SEED);
    mix(out, this.#numbers.of(origin), 0, 1);
    if (!origin.isUniform) vary(out);
    registers.setUniform(register, out, false, lanes, lanes);
    return true;
  }
}
