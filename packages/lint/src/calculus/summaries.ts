// Who owns what, by inference: callees first, borrowed before owned, and a least fixpoint where
// functions call each other.
import type { CoreFunction, Summary } from './core.ts';
import { judge, type Choice } from './judge.ts';
import type { Functions } from './machine.ts';
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

interface Pending {
  assumed: Summary;
  isUsed: boolean;
}

export class Summaries {
  readonly #verdicts = new Map<unknown, Verdict>();
  readonly #pending = new Map<unknown, Pending>();
  readonly #body: (f: unknown) => CoreFunction | undefined;
  readonly #options: RuleOptions;
  /** How many functions on the stack were used before they were known. */
  #open = 0;
  states = 0;

  constructor(body: (f: unknown) => CoreFunction | undefined, options: RuleOptions) {
    this.#body = body;
    this.#options = options;
  }

  readonly functions: Functions = {
    summary: (f) => this.of(f)?.summary,
    body: (f) => this.#body(f),
  };

  /** The verdict on a function; `undefined` for one without a body. */
  of(f: unknown): Verdict | undefined {
    const known = this.#verdicts.get(f);
    if (known !== undefined) return known;
    const pending = this.#pending.get(f);
    if (pending !== undefined) {
      pending.isUsed = true;
      return { summary: pending.assumed, refused: [] };
    }
    const fn = this.#body(f);
    if (fn === undefined) return undefined;
    const verdict = this.#infer(f, fn);
    // What rests on an assumption about a function that is not finished is not final.
    if (this.#open === 0) this.#verdicts.set(f, verdict);
    return verdict;
  }

  #infer(f: unknown, fn: CoreFunction): Verdict {
    let best: readonly Refusal[] | undefined;
    for (const choice of choices(fn)) {
      const { summary, refused } = this.#settle(f, fn, choice);
      if (summary !== undefined) return { summary, refused: [] };
      if (best === undefined || refused.length < best.length) best = refused;
    }
    return { summary: undefined, refused: best ?? [] };
  }

  /** The summary with one choice of owners: what it says of the function itself must hold. */
  #settle(f: unknown, fn: CoreFunction, choice: Choice): Verdict {
    const pending: Pending = { assumed: { ...start(fn), owned: choice.owned }, isUsed: false };
    for (let round = 0; round < 2 * fn.parameters.length + MORE_ROUNDS; round++) {
      pending.isUsed = false;
      this.#pending.set(f, pending);
      const judged = judge(fn, choice, this.functions, this.#options);
      this.#pending.delete(f);
      this.states += judged.states;
      this.#open = [...this.#pending.values()].filter(({ isUsed }) => isUsed).length;
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
}

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
