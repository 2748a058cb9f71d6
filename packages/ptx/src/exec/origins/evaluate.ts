// The values of expressions in other clusters, in the order in which they were made.
import { ALL_LANES, LANES } from '../../values/register-file.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Compute, Inputs, Origin, Place, Variable } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';

const out: Wide = { low: 0, high: 0 };

/** Expressions and all that they are made of, each behind its inputs. */
export function inOrder(roots: readonly Origin[]): Origin[] {
  const order: Origin[] = [];
  const isOpen = new Map<Origin, boolean>();
  const stack = [...roots].toReversed();
  while (stack.length > 0) {
    const origin = stack.at(-1)!;
    const state = isOpen.get(origin);
    if (state === undefined) {
      isOpen.set(origin, true);
      for (const input of origin.inputs) if (!isOpen.has(input)) stack.push(input);
      continue;
    }
    stack.pop();
    if (state) order.push(origin);
    isOpen.set(origin, false);
  }
  return order;
}

/** What an evaluation takes for given. */
export interface Premises {
  /** Whether addresses are unknown. */
  readonly hidesAddresses?: boolean;
  /** Predicates that are answered. */
  readonly answers?: ReadonlyMap<Origin, boolean>;
  /**
   * Leaves in `out` what a variable is, of which it holds the value in the run, if that is known.
   */
  readonly assign?: (variable: Variable, out: Wide) => void;
  /** Whether values of the first lane alone are asked for. */
  readonly isOfFirstLane?: boolean;
}

/** Evaluates expressions in one cluster after the other; values that all have are kept. */
export class Evaluator implements Inputs {
  readonly #order: readonly Origin[];
  readonly #index = new Map<Origin, number>();
  /** By expression: the indices of its inputs. */
  readonly #inputs: readonly Int32Array[];
  /** By expression: where its values are, one for each lane unless it is uniform. */
  readonly #slots: Int32Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #known: Int32Array;
  /** 1 for an operation whose inputs may be read at once. */
  readonly #isPlain: Uint8Array;
  /** The indices of those that may have another value, in other clusters or with other premises. */
  readonly #varying: readonly number[];
  readonly #premises: Premises;
  /** Computes what is a fact of addresses, with those that the run has. */
  readonly #facts: Evaluator | null;
  readonly hidesAddresses: boolean;
  /** Lanes that are computed. */
  readonly #lanes: number;
  /** Computations for each cluster. */
  readonly cost: number;
  #isBegun = false;
  #current = 0;

  constructor(roots: readonly Origin[], premises: Premises = {}) {
    this.hidesAddresses = premises.hidesAddresses === true;
    this.#premises = premises;
    this.#order = inOrder(roots.filter((origin) => origin !== OPAQUE));
    for (const [index, origin] of this.#order.entries()) this.#index.set(origin, index);
    // An operation has inputs of its own lane; what others compute may come from another one.
    const isOfLane = ({ operation, inputs }: Origin): boolean =>
      operation !== undefined || inputs.length === 0;
    const areApart = this.#order.every(isOfLane);
    this.#lanes = premises.isOfFirstLane === true && areApart ? 1 : LANES;
    this.#inputs = this.#order.map(({ inputs }) =>
      Int32Array.from(inputs, (input) => this.#index.get(input) ?? -1),
    );
    this.#varying = this.#varyingOf(premises);
    const facts = this.hidesAddresses ? this.#order.filter(({ isFact }) => isFact === true) : [];
    const { answers, assign } = premises;
    this.#isPlain = Uint8Array.from(this.#order, (origin, index) => {
      const { operation, isFact, source } = origin;
      const isOwn = answers?.has(origin) === true || (isFact === true && facts.length > 0);
      const isAssigned = assign !== undefined && source?.variable !== undefined;
      const areFour = this.#inputs[index]!.length === 4 && !this.#inputs[index]!.includes(-1);
      return operation !== undefined && areFour && !isOwn && !isAssigned ? 1 : 0;
    });
    this.#facts =
      facts.length === 0 ? null : new Evaluator(facts, { ...premises, hidesAddresses: false });
    this.#slots = new Int32Array(this.#order.length);
    let size = 0;
    for (const [index, { isUniform }] of this.#order.entries()) {
      this.#slots[index] = size;
      size += isUniform ? 1 : LANES;
    }
    this.#low = new Uint32Array(size);
    this.#high = new Uint32Array(size);
    this.#known = new Int32Array(this.#order.length);
    const costs = this.#order.map(({ axes, isUniform }) =>
      axes === 0 ? 0 : isUniform ? 1 : this.#lanes,
    );
    this.cost = costs.reduce<number>((sum, one) => sum + one, 0);
  }

  #varyingOf({ assign }: Premises): number[] {
    const isFixed = new Uint8Array(this.#order.length);
    for (const [index, { axes, source }] of this.#order.entries()) {
      const isAssigned = assign !== undefined && source?.variable !== undefined;
      const isOfFixed = this.#inputs[index]!.every((input) => isFixed[input] === 1);
      isFixed[index] = axes === 0 && !isAssigned && isOfFixed ? 1 : 0;
    }
    return [...this.#order.keys()].filter((index) => isFixed[index] === 0);
  }

  /** Computes all of them in the cluster at a place. */
  at(place: Place): void {
    this.#facts?.at(place);
    const due = this.#isBegun ? this.#varying : this.#order.keys();
    for (const index of due) {
      const origin = this.#order[index]!;
      this.#current = index;
      if (this.#isPlain[index] === 1 && this.#computeAll(origin.operation!, index)) continue;
      const lanes = origin.isUniform ? 1 : this.#lanes;
      const slot = this.#slots[index]!;
      let known = 0;
      for (let lane = 0; lane < lanes; lane++) {
        if (this.#compute(origin, lane, place)) known |= 1 << lane;
        this.#low[slot + lane] = out.low;
        this.#high[slot + lane] = out.high;
      }
      this.#known[index] = lanes === 1 ? -known : known;
    }
    this.#isBegun = true;
  }

  /** Computes an operation on four inputs in all lanes at once; `false`: not all are known. */
  #computeAll(compute: Compute, index: number): boolean {
    const order = this.#order;
    const low = this.#low;
    const high = this.#high;
    const [a, b, c, d] = this.#inputs[index]! as unknown as [number, number, number, number];
    const known = this.#known;
    if ((known[a]! & known[b]! & known[c]! & known[d]!) !== ALL_LANES) return false;
    const [ofA, ofB] = [order[a]!.isUniform ? 0 : 1, order[b]!.isUniform ? 0 : 1];
    const [ofC, ofD] = [order[c]!.isUniform ? 0 : 1, order[d]!.isUniform ? 0 : 1];
    let atA = this.#slots[a]!;
    let atB = this.#slots[b]!;
    let atC = this.#slots[c]!;
    let atD = this.#slots[d]!;
    const slot = this.#slots[index]!;
    const end = slot + (order[index]!.isUniform ? 1 : this.#lanes);
    for (let at = slot; at < end; at++) {
      compute(out, low[atA]!, high[atA]!, low[atB]!, high[atB]!, low[atC]!, high[atC]!, low[atD]!);
      low[at] = out.low;
      high[at] = out.high;
      atA += ofA;
      atB += ofB;
      atC += ofC;
      atD += ofD;
    }
    known[index] = ALL_LANES;
    return true;
  }

  #compute(origin: Origin, lane: number, place: Place): boolean {
    const answer = this.#premises.answers?.get(origin);
    if (answer !== undefined) {
      out.low = answer ? 1 : 0;
      out.high = 0;
      return true;
    }
    if (origin.isFact === true && this.#facts !== null)
      return this.#facts.valueOf(origin, lane, out);
    const isKnown = origin.evaluate!(this, lane, place, out);
    const variable = origin.source?.variable;
    if (variable === undefined || this.#premises.assign === undefined) return isKnown;
    this.#premises.assign(variable, out);
    return true;
  }

  read(input: number, lane: number, result: Wide): boolean {
    return this.#read(this.#inputs[this.#current]![input]!, lane, result);
  }

  /** The value of an expression in a lane of the cluster; whether it is known. */
  valueOf(origin: Origin, lane: number, result: Wide): boolean {
    return this.#read(this.#index.get(origin)!, lane, result);
  }

  /** The number of an expression. */
  numberOf(origin: Origin): number {
    return this.#index.get(origin) ?? -1;
  }

  /** The same as `valueOf`, of an expression by its number. */
  valueAt(number: number, lane: number, result: Wide): boolean {
    return this.#read(number, lane, result);
  }

  #read(index: number, lane: number, result: Wide): boolean {
    const slot = this.#slots[index]! + (this.#order[index]!.isUniform ? 0 : lane);
    result.low = this.#low[slot]!;
    result.high = this.#high[slot]!;
    return ((this.#known[index]! >>> lane) & 1) === 1;
  }
}
