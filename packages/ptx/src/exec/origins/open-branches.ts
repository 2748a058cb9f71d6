// Branches that blocks take in too many ways for a class each: in a run of their own, what decides
// them is unknown data, whose ways stand for those of all blocks.
import type { Dimensions } from '../../launch/launch.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import type { Box, Origin } from '../../values/origin.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { Bounds } from './bounds.ts';
import { isSettled } from './cover.ts';
import { originOf } from './expressions.ts';
import { halvesOf } from './halves.ts';

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

/** Into so many boxes a grid is halved. */
const BOXES = 16;
/** Of so many of them bounds have to say what blocks decide. */
const SHARE = 3 / 4;

/** The branches of which bounds do not say what most of the blocks of a grid decide. */
export function branchesToOpen(
  decisions: readonly BlockDecision[],
  [x, y, z]: Dimensions,
  isBranch: (at: number) => boolean,
): ReadonlySet<number> {
  const own = decisions.filter(({ at, what }) => what === 'truth' && isBranch(at));
  let boxes: Box[] = [{ from: [0, 0, 0], to: [x - 1, y - 1, z - 1] }];
  while (boxes.length < Math.min(BOXES, x * y * z)) boxes = boxes.flatMap(halvesOf);
  const roots = own.map(({ origin, mask }) => ({ origin, lanes: mask }));
  const open = new Map<BlockDecision, number>();
  for (const box of boxes) {
    const bounds = new Bounds(roots, box);
    for (const each of own)
      if (!isSettled(each, bounds.of(each.origin))) open.set(each, (open.get(each) ?? 0) + 1);
  }
  const isOpen = (each: BlockDecision): boolean =>
    (open.get(each) ?? 0) > (1 - SHARE) * boxes.length;
  return new Set(own.filter(isOpen).map(({ at }) => at));
}
