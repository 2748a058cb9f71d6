// Whether clocks, the machine and the places of buffers can be what a run is built on: values are
// looked for that give its answers.
import { Cause, OPAQUE } from '../../values/origin.ts';
import type { ClockRead, Origin, Place, Variable } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import type { Subject, Decision } from '../../steps/decision.ts';
import { Evaluator } from './evaluate.ts';

/** The most predicates that are computed with values. */
const MAX_TRIES = 50_000;
/** Consecutive values that are tried, and values without a pattern. */
const CONSECUTIVE = 256;
const MIXED = 128;
const HALF = 1n << 32n;
/** Addresses of a device are below this one. */
const MOST_ADDRESS = 1n << 47n;
/** Numbers of warps and multiprocessors are below this one. */
const MOST_NUMBER = 1024n;

const out: Wide = { low: 0, high: 0 };

/** A predicate, and what it has to be. */
interface Wanted {
  readonly origin: Origin;
  readonly lane: number;
  readonly isTrue: boolean;
  /** The variables that it is computed from, by their names. */
  readonly names: ReadonlySet<string>;
}

function nameOf(variable: Variable): string {
  switch (variable.kind) {
    case 'clock':
      return `clock ${variable.warp}:${variable.index}`;
    case 'register':
      return variable.name;
    case 'buffer':
      return `buffer ${variable.window}`;
  }
}

/**
 * Whether a question has a free answer: clocks and the machine may say anything at any time, and
 * one buffer may lie anywhere. Whether two buffers are one is up to the launch.
 */
export function isFree({ bits, sources, wait }: Subject): boolean {
  if (wait !== undefined) return bits === Cause.time;
  if ((bits & ~(Cause.time | Cause.machine | Cause.place)) !== 0) return false;
  if (bits !== Cause.time && !sources.every(({ variable }) => variable !== undefined)) return false;
  const buffers = sources.filter(({ cause }) => cause === Cause.place);
  return new Set(buffers.map(({ variable }) => nameOf(variable!))).size < 2;
}

/** Whether all answers of a run that are free can be given together. */
export function arePossible(decisions: readonly Decision[], place: Place): boolean {
  const wanted: Wanted[] = [];
  for (const { subject, isTrue } of decisions) {
    if (!isFree(subject)) continue;
    if (subject.wait !== undefined) {
      if (isTrue && subject.mayFail !== true) return false;
      continue;
    }
    const own = wantedOf(subject, isTrue);
    if (own === null) return false;
    wanted.push(own);
  }
  return wanted.length === 0 || new Search(wanted, place).isFound();
}

/** Whether a free predicate may be true as well as false. */
export function mayBeEither(subject: Subject, place: Place): boolean {
  return [true, false].every((isTrue) => {
    const wanted = wantedOf(subject, isTrue);
    return wanted !== null && new Search([wanted], place).isFound();
  });
}

/** What a predicate has to be; `null` where it is not computed from variables alone. */
function wantedOf({ origin, lane, sources }: Subject, isTrue: boolean): Wanted | null {
  if (origin === undefined || origin === OPAQUE || lane === undefined) return null;
  const names = new Set<string>();
  for (const { variable } of sources) {
    if (variable === undefined) return null;
    names.add(nameOf(variable));
  }
  return { origin, lane, isTrue, names };
}

/** All expressions that some are made of. */
function partsOf(roots: readonly Origin[]): ReadonlySet<Origin> {
  const seen = new Set<Origin>();
  const open = [...roots];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...next.inputs);
  }
  return seen;
}

/** Numbers that are likely to make a difference, the likely ones first. */
function* candidates(constants: readonly bigint[]): Generator<bigint> {
  for (const constant of constants) yield* [constant, constant + 1n, constant - 1n];
  for (let bit = 0n; bit < 48n; bit++) yield* [1n << bit, (1n << bit) - 1n, (1n << bit) + 1n];
  for (let power = 10n; power < 10n ** 13n; power *= 10n) yield* [power, 2n * power];
  for (let value = 0n; value < CONSECUTIVE; value++) yield value;
  let state = 0x9e37_79b9n;
  for (let count = 0; count < MIXED; count++) {
    state = (state * 0x5851_f42d_4c95_7f2dn + 0x1405_7b7e_f767_814fn) % HALF ** 2n;
    yield state >> 24n;
  }
}

/** Looks for values of variables. */
class Search {
  readonly #wanted: readonly (Wanted & { readonly evaluator: Evaluator })[];
  readonly #place: Place;
  readonly #variables: readonly Variable[];
  readonly #candidates: readonly bigint[];
  /** By the name of a variable; of a clock, what its counter holds. */
  readonly #values = new Map<string, bigint>();
  #left = MAX_TRIES;

  constructor(wanted: readonly Wanted[], place: Place) {
    const assign = (variable: Variable, result: Wide): void => this.#give(variable, result);
    this.#wanted = wanted.map((each) => {
      return { ...each, evaluator: new Evaluator([each.origin], { assign }) };
    });
    this.#place = place;
    const parts = partsOf(wanted.map(({ origin }) => origin));
    this.#variables = variablesIn(parts);
    const positive = [...candidates(constantsIn(parts, place))].filter((value) => value >= 0n);
    this.#candidates = [...new Set(positive)];
  }

  isFound(): boolean {
    return this.#isFoundFrom(0);
  }

  #isFoundFrom(index: number): boolean {
    const variable = this.#variables[index];
    if (variable === undefined) return true;
    const name = nameOf(variable);
    const ready = this.#wanted.filter(({ names }) => this.#isLast(names, name));
    for (const candidate of this.#candidates) {
      const value = this.#valueOf(variable, candidate, index);
      if (value === null) continue;
      if (this.#left <= 0) break;
      this.#values.set(name, value);
      if (ready.every((each) => this.#holds(each)) && this.#isFoundFrom(index + 1)) return true;
    }
    this.#values.delete(name);
    return false;
  }

  /** A value that a variable may have. */
  #valueOf(variable: Variable, candidate: bigint, index: number): bigint | null {
    switch (variable.kind) {
      case 'clock': {
        // No read is below the last one of its counter.
        const before = this.#variables.slice(0, index).findLast((each) => {
          return each.kind === 'clock' && each.isGlobal === variable.isGlobal;
        });
        return (before === undefined ? 0n : this.#values.get(nameOf(before))!) + candidate;
      }
      case 'register':
        return candidate < MOST_NUMBER ? candidate : null;
      case 'buffer': {
        const align = BigInt(2 ** variable.bits);
        const value = (candidate / align) * align;
        return value > 0n && value < MOST_ADDRESS ? value : null;
      }
    }
  }

  /** Whether a variable is the last one of some to get a value. */
  #isLast(names: ReadonlySet<string>, name: string): boolean {
    if (!names.has(name)) return false;
    return [...names].every((each) => each === name || this.#values.has(each));
  }

  #holds({ evaluator, origin, lane, isTrue }: Wanted & { readonly evaluator: Evaluator }): boolean {
    this.#left--;
    evaluator.at(this.#place);
    return evaluator.valueOf(origin, lane, out) && (out.low !== 0) === isTrue;
  }

  #give(variable: Variable, result: Wide): void {
    const value = this.#values.get(nameOf(variable))!;
    switch (variable.kind) {
      case 'clock':
        return write(result, partOf(value, variable.part));
      case 'register':
        return write(result, value);
      case 'buffer': {
        // Where the buffer lies, instead of where the run has it.
        const offset = BigInt(result.low) + (BigInt(result.high) - BigInt(variable.window)) * HALF;
        return write(result, value + offset);
      }
    }
  }
}

function partOf(value: bigint, part: ClockRead['part']): bigint {
  return part === 'high' ? value / HALF : part === 'low' ? value % HALF : value;
}

function write(result: Wide, value: bigint): void {
  result.low = Number(BigInt.asUintN(32, value));
  result.high = Number(BigInt.asUintN(32, value >> 32n));
}

/** The variables of expressions, clocks in the order in which they are read. */
function variablesIn(parts: Iterable<Origin>): Variable[] {
  const variables = new Map<string, Variable>();
  for (const { source } of parts)
    if (source?.variable !== undefined) variables.set(nameOf(source.variable), source.variable);
  const order = (each: Variable): number => (each.kind === 'clock' ? each.order : 0);
  return [...variables.values()].toSorted((one, other) => order(one) - order(other));
}

/** Known numbers in expressions. */
function constantsIn(parts: Iterable<Origin>, place: Place): bigint[] {
  const constants = new Set<bigint>();
  const none = { read: () => false };
  for (const { inputs, known, evaluate } of parts) {
    if (inputs.length > 0 || known === undefined || known === 0) continue;
    evaluate!(none, 31 - Math.clz32(known & -known), place, out);
    constants.add(BigInt(out.low) + BigInt(out.high) * HALF);
  }
  return [...constants];
}
