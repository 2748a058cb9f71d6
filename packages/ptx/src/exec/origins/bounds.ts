// How far expressions reach in the blocks of a box, without evaluating them in each of these.
import { ALL_LANES } from '../../values/register-file.ts';
import type { Box, Origin } from '../../values/origin.ts';
import { between, restOf, withRest, zerosOf } from '../../values/reach.ts';
import type { Range, Reach } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';
import { Evaluator, inOrder } from './evaluate.ts';
import { countOf, placesOf } from './halves.ts';
import type { Work } from './work.ts';

/** How bounds are found. */
export interface BoundsOptions {
  /**
   * Whether a value that all lanes have, and that moves in some other way than with the axes, is
   * itself what others move with.
   */
  readonly hasMovers?: boolean;
  /** What may be computed: values that all lanes have are, in each cluster of the box. */
  readonly work?: Work;
}

/** What expressions, and all that they are made of, may be in a box of clusters. */
export class Bounds {
  readonly #known = new Map<Origin, Reach | null>();
  /** The lanes in which they count. */
  readonly #lanes: ReadonlyMap<Origin, number>;
  readonly #order: readonly Origin[];
  #causes: ReadonlyMap<Origin, number> | null = null;

  constructor(
    wanted: readonly InLanes[],
    box: Box,
    { hasMovers = false, work }: BoundsOptions = {},
  ) {
    const order = inOrder(wanted.map(({ origin }) => origin));
    this.#order = order;
    this.#lanes = countingLanes(order, wanted);
    const exact = work === undefined ? NONE : this.#exactOf(order, box, work);
    // Then all are known.
    if (exact.size === 0 && work !== undefined && !hasMovers) return;
    for (const origin of order) {
      let own = this.#reachOf(origin, box);
      const computed = movesWithAxes(own) ? undefined : exact.get(origin);
      if (computed !== undefined) own = withBounds(own, computed);
      if (hasMovers && own !== null) own = this.#moved(own, origin);
      this.#known.set(origin, own);
    }
  }

  /** How many expressions it looked at. */
  get size(): number {
    return this.#known.size;
  }

  /** How far an expression reaches; `null`: nothing is known of it. */
  of(origin: Origin): Reach | null {
    return this.#known.get(origin)!;
  }

  /** Bits of {@link Cause} of what an expression is computed from in the lanes that count. */
  causesOf(origin: Origin): number {
    this.#causes ??= countingCauses(this.#order, this.#lanes);
    return this.#causes.get(origin)!;
  }

  /** What uniform expressions are in each cluster, where they do not simply move with the axes. */
  #exactOf(order: readonly Origin[], box: Box, work: Work): ReadonlyMap<Origin, Exact> {
    const open: Origin[] = [];
    for (const origin of order) {
      const own = this.#reachOf(origin, box);
      this.#known.set(origin, own);
      if (isComputable(origin) && origin.inputs.length > 0 && !movesWithAxes(own))
        open.push(origin);
    }
    return exactBounds(open, box, work);
  }

  /** A value that moves in some other way: with what it is in the first lane. */
  #moved(own: Reach, origin: Origin): Reach {
    // A mover is read as an unsigned integer.
    const isNegative = own.least < 0 && Number.isFinite(own.least);
    const hasFirst = origin.isUniform || (this.#lanes.get(origin)! & 1) === 1;
    if (own.moves !== null || isNegative || !hasFirst) return own;
    const lanes = this.#isOfBlock(origin) ? ONE : own.lanes;
    return lanes === undefined ? own : withRest({ ...own, moves: new Map([[origin, 1]]) }, lanes);
  }

  /** Whether all lanes have the same in each block. */
  #isOfBlock({ isUniform, inputs, operation }: Origin): boolean {
    if (isUniform) return true;
    if (operation === undefined) return false;
    return inputs.every((input) => {
      const reach = this.#known.get(input) ?? null;
      const rest = reach === null ? null : restOf(reach);
      return input.isUniform || (rest !== null && rest[0] === rest[1]);
    });
  }

  #reachOf(origin: Origin, box: Box): Reach | null {
    const lanes = this.#lanes.get(origin)!;
    if (lanes === 0) return null;
    const inputs: (Reach | null)[] = [];
    for (const [index, input] of origin.inputs.entries()) {
      const reach = this.#known.get(input)!;
      if (reach === null && origin.lanesOf?.(index, lanes) !== 0) return null;
      inputs.push(reach);
    }
    return origin.reach(inputs, box, lanes);
  }
}

/** The lanes in which each expression counts for those that are asked for; inputs come first. */
function countingLanes(
  order: readonly Origin[],
  wanted: readonly InLanes[],
): ReadonlyMap<Origin, number> {
  const counting = new Map<Origin, number>();
  const count = (origin: Origin, lanes: number): void => {
    counting.set(origin, (counting.get(origin) ?? 0) | lanes);
  };
  for (const { origin, lanes } of wanted) count(origin, lanes);
  for (const origin of order.toReversed()) {
    const lanes = counting.get(origin)!;
    const { inputs, lanesOf, operation } = origin;
    for (const [index, input] of inputs.entries())
      count(input, lanesOf?.(index, lanes) ?? (operation === undefined ? ALL_LANES : lanes));
  }
  return counting;
}

/** Bits of {@link Cause} of each expression, of the inputs that count. */
function countingCauses(
  order: readonly Origin[],
  counting: ReadonlyMap<Origin, number>,
): ReadonlyMap<Origin, number> {
  const found = new Map<Origin, number>();
  for (const origin of order) {
    const { from, inputs, lanesOf } = origin;
    const lanes = counting.get(origin)!;
    const ofInputs = inputs.reduce((causes, input) => causes | input.from, 0);
    let causes = from & ~ofInputs;
    for (const [index, input] of inputs.entries())
      if (lanesOf?.(index, lanes) !== 0) causes |= found.get(input)!;
    found.set(origin, lanes === 0 ? 0 : causes);
  }
  return found;
}

/** An expression, and the lanes in which it is asked for. */
export interface InLanes {
  readonly origin: Origin;
  readonly lanes: number;
}

/** The smallest and the largest number, and how many low bits are 0 in all of them. */
interface Exact {
  least: number;
  most: number;
  zeros: number;
}

/** No lane is away from the first one. */
const ONE: Range = [0, 0];
const NONE: ReadonlyMap<Origin, Exact> = new Map();
const out: Wide = { low: 0, high: 0 };

/** Whether a value simply moves with the axes. */
function movesWithAxes(reach: Reach | null): boolean {
  const moves = reach?.moves ?? null;
  return moves !== null && [...moves.keys()].every((mover) => typeof mover === 'number');
}

/** Whether an expression is one number in all lanes that is known in each cluster. */
function isComputable({ axes, isUniform, from, evaluate, source }: Origin): boolean {
  return axes !== 0 && isUniform && from === 0 && evaluate !== null && source === undefined;
}

/** What uniform expressions are in the clusters of a box, as unsigned integers. */
function exactBounds(
  computable: readonly Origin[],
  box: Box,
  work: Work,
): ReadonlyMap<Origin, Exact> {
  if (computable.length === 0) return NONE;
  const evaluator = new Evaluator(computable);
  if (!work.mayTake(evaluator.cost * countOf(box))) return NONE;
  const found = new Map<Origin, Exact>();
  const unknown = new Set<Origin>();
  for (const place of placesOf(box)) {
    evaluator.at(place);
    for (const origin of computable) {
      if (!evaluator.valueOf(origin, 0, out)) unknown.add(origin);
      const value = out.high * 2 ** 32 + out.low;
      const known = found.get(origin);
      if (known === undefined)
        found.set(origin, { least: value, most: value, zeros: zerosOf(value) });
      else {
        known.least = Math.min(known.least, value);
        known.most = Math.max(known.most, value);
        known.zeros = Math.min(known.zeros, zerosOf(value));
      }
    }
  }
  for (const origin of unknown) found.delete(origin);
  return found;
}

/** What is known of an expression, or what it is in each cluster, where that says more. */
function withBounds(reach: Reach | null, { least, most, zeros }: Exact): Reach {
  const isNarrower = reach === null || most - least < reach.most - reach.least;
  // Numbers of a register move with others modulo its size: here they are taken as they are.
  if (isNarrower) return between(least, most, null, zeros);
  return { ...reach, zeros: Math.max(zeros, reach.zeros) };
}
