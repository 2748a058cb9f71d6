// Who owns what, by inference: callees first, borrowed before owned, and a least fixpoint where
// functions call each other.
import type { CoreFunction, Summary } from './core.ts';
import { judge, type Choice } from './judge.ts';
import { Holding } from './holding.ts';
import type { Functions } from './machine.ts';
import { Outlines } from './outline.ts';
import type { Refusal, RuleOptions } from './rules.ts';

/** The result for a function: what callers rely on, or why it is refused. */
export interface Verdict {
  readonly summary: Summary | undefined;
  readonly refused: readonly Refusal[];
}

/** The most parameters whose owners are inferred. */
const MAX_INFERRED = 5;

/** Every choice of owners, what is borrowed first; tags are not up for choice. */
function* choices(fn: CoreFunction): Generator<Choice> {
  const open = fn.parameters.flatMap(({ holds, owned }, index) =>
    (holds === 'handle' || holds === 'many') && owned === undefined ? [index] : [],
  );
  const few = open.slice(0, MAX_INFERRED);
  const yields = fn.isGenerator ? (['borrowed', 'passedOn'] as const) : (['borrowed'] as const);
  for (let mask = 0; mask < 1 << few.length; mask++) {
    const owned = fn.parameters.map((parameter, index) => {
      const place = few.indexOf(index);
      return place === -1 ? parameter.owned === true : ((mask >> place) & 1) === 1;
    });
    for (const each of yields) yield { owned, yields: each };
  }
}

/** Before anything is known of a function that is called by itself: it borrows and never ends. */
function start(fn: CoreFunction): Summary {
  const none = fn.parameters.map(() => false);
  return {
    owned: fn.parameters.map(({ owned }) => owned === true),
    keeps: none,
    fills: none,
    passes: none,
    results: [],
    throws: false,
    waits: false,
    isAsync: fn.isAsync,
    yields: fn.isGenerator ? 'nothing' : undefined,
  };
}

/** A function that is being judged. */
interface Pending {
  readonly f: unknown;
  readonly depth: number;
  assumed: Summary;
  isUsed: boolean;
  /** The outermost pending function on which its verdict rests. */
  rests: number;
}

/** A verdict that rests on what is assumed of a pending function. */
interface Provisional {
  readonly verdict: Verdict;
  readonly rests: number;
}

export class Summaries {
  readonly #verdicts = new Map<unknown, Verdict>();
  readonly #provisional = new Map<unknown, Provisional>();
  readonly #pending: Pending[] = [];
  readonly #body: (f: unknown) => CoreFunction | undefined;
  readonly #options: RuleOptions;
  readonly holding: Holding;
  readonly #outlines: Outlines;
  states = 0;

  constructor(body: (f: unknown) => CoreFunction | undefined, options: RuleOptions) {
    this.#body = body;
    this.holding = new Holding(body);
    this.#outlines = new Outlines(body, this.holding);
    this.#options = options;
  }

  readonly functions: Functions = {
    summary: (f) => this.of(f)?.summary,
    outline: (f) => this.#outlines.of(f),
    body: (f) => this.#body(f),
  };

  /** The verdict on a function; `undefined` for one without a body. */
  of(f: unknown): Verdict | undefined {
    const known = this.#verdicts.get(f);
    if (known !== undefined) return known;
    const pending = this.#pending.find((each) => each.f === f);
    if (pending !== undefined) {
      pending.isUsed = true;
      this.#restsOn(pending.depth);
      return { summary: pending.assumed, refused: [] };
    }
    const provisional = this.#provisional.get(f);
    if (provisional !== undefined) {
      this.#restsOn(provisional.rests);
      return provisional.verdict;
    }
    const fn = this.#body(f);
    return fn && this.#judged(f, fn);
  }

  #restsOn(depth: number): void {
    const last = this.#pending.at(-1);
    if (last !== undefined && depth < last.rests) last.rests = depth;
  }

  /** Functions that call each other are final with the first of them. */
  #judged(f: unknown, fn: CoreFunction): Verdict {
    const depth = this.#pending.length;
    const known = this.#provisional.size;
    const pending: Pending = { f, depth, assumed: start(fn), isUsed: false, rests: depth };
    this.#pending.push(pending);
    const verdict = this.#infer(fn, pending, known);
    this.#pending.pop();
    if (pending.rests < depth) {
      this.#provisional.set(f, { verdict, rests: pending.rests });
      this.#restsOn(pending.rests);
      return verdict;
    }
    for (const [each, { verdict: own }] of [...this.#provisional].slice(known)) {
      this.#verdicts.set(each, own);
      this.#provisional.delete(each);
    }
    this.#verdicts.set(f, verdict);
    return verdict;
  }

  #infer(fn: CoreFunction, pending: Pending, known: number): Verdict {
    let best: readonly Refusal[] | undefined;
    let bounds = 0;
    for (const choice of choices(fn)) {
      const { summary, refused } = this.#settle(fn, choice, pending, known);
      if (summary !== undefined) return { summary, refused: [] };
      if (best === undefined || refused.length < best.length) best = refused;
      // With yet other owners it would have as many situations.
      if (refused.some(({ wrong }) => wrong === 'bound') && ++bounds === MAX_BOUNDS) break;
    }
    return { summary: undefined, refused: best ?? [] };
  }

  /** The summary with one choice of owners: what it says of the function itself must hold. */
  #settle(fn: CoreFunction, choice: Choice, pending: Pending, known: number): Verdict {
    pending.assumed = { ...start(fn), owned: choice.owned };
    for (let round = 0; round < 2 * fn.parameters.length + MORE_ROUNDS; round++) {
      pending.isUsed = false;
      for (const each of [...this.#provisional.keys()].slice(known)) {
        this.#provisional.delete(each);
      }
      const judged = judge(fn, choice, this.functions, this.#options);
      this.states += judged.states;
      if (judged.refused.length > 0) return { summary: undefined, refused: judged.refused };
      if (!pending.isUsed) return { summary: judged.summary, refused: [] };
      const grown = merged(pending.assumed, judged.summary);
      if (JSON.stringify(grown) === JSON.stringify(pending.assumed)) {
        return { summary: grown, refused: [] };
      }
      pending.assumed = grown;
    }
    return { summary: undefined, refused: [unsettled(fn)] };
  }

  /** How much is known by now. */
  mark(): Mark {
    return { verdicts: this.#verdicts.size, holding: this.holding.mark() };
  }

  forgetSince({ verdicts, holding }: Mark): void {
    for (const f of [...this.#verdicts.keys()].slice(verdicts)) this.#verdicts.delete(f);
    this.holding.forgetSince(holding);
    this.#outlines.forget();
  }
}

/** How much was known at some time. */
export interface Mark {
  readonly verdicts: number;
  readonly holding: number;
}

/** Choices of owners that have too many situations, before no further one is tried. */
const MAX_BOUNDS = 2;

/** Rounds for results, exceptions and waiting. */
const MORE_ROUNDS = 6;

function unsettled({ at }: CoreFunction): Refusal {
  const why = 'functions that call each other without an end to what they own';
  return { wrong: 'refused', why, at, origin: undefined };
}

/** Assumptions only grow, so that they end. */
function merged(before: Summary, after: Summary): Summary {
  const either = (a: readonly boolean[], b: readonly boolean[]): boolean[] =>
    a.map((each, index) => each || b[index] === true);
  const results = new Map(
    [...before.results, ...after.results].map((result) => [JSON.stringify(result), result]),
  );
  return {
    owned: before.owned,
    isAsync: before.isAsync,
    yields: before.yields === 'nothing' ? after.yields : before.yields,
    keeps: either(before.keeps, after.keeps),
    fills: either(before.fills, after.fills),
    passes: either(before.passes, after.passes),
    results: [...results.values()],
    throws: before.throws || after.throws,
    waits: before.waits || after.waits,
  };
}
