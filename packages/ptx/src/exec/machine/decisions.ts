// What unknown data decides in one run: a predicate with one identity has one answer in all warps.
import { goesOnWhere } from '../../flow/way-back.ts';
import type { Answers, Decision } from '../../steps/decision.ts';
import type { PtxFunction } from '../../text/module.ts';
import { negate } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';

const opposite: Wide = { low: 0, high: 0 };

/** The answers of one run. */
export class Decisions {
  /** In the order of the questions. */
  readonly list: Decision[] = [];
  readonly #answers: Answers | null;
  readonly #byTerm = new Map<number, Map<number, boolean>>();
  readonly #counts = new Map<number, number>();
  readonly #code: PtxFunction;
  readonly #goesOn = new Map<number, boolean | null>();

  /** `answers` is `null` where nothing may be decided. */
  constructor(code: PtxFunction, answers: Answers | null) {
    this.#code = code;
    this.#answers = answers;
  }

  /** The answer for a predicate with the term of two halves; `undefined` if it was never asked. */
  known(low: number, high: number): boolean | undefined {
    const own = this.#byTerm.get(low)?.get(high);
    if (own !== undefined) return own;
    opposite.low = low;
    opposite.high = high;
    negate(opposite);
    const other = this.#byTerm.get(opposite.low)?.get(opposite.high);
    return other === undefined ? undefined : !other;
  }

  /** Whether what was not answered so far stays open. */
  isClosed = false;

  /** Whether a question is asked of all warps at once, in a state that others may be equal to. */
  areCuts = false;

  /** Whether something was answered that is not forgotten. */
  get hasAnswers(): boolean {
    return this.#byTerm.size > 0;
  }

  /** Forgets all answers: what was asked before a cut is asked again. */
  forget(): void {
    this.#byTerm.clear();
  }

  /** Answers a predicate with the term of two halves. */
  answer(low: number, high: number, isTrue: boolean): void {
    let terms = this.#byTerm.get(low);
    if (terms === undefined) this.#byTerm.set(low, (terms = new Map()));
    terms.set(high, isTrue);
  }

  /** Adds the answer that a cut is left with. */
  note(at: number, isTrue: boolean): void {
    const count = this.#counts.get(at) ?? 0;
    this.#counts.set(at, count + 1);
    this.list.push({ at, count, goesOn: this.goesOn(at), isTrue });
  }

  /** The answer with which the loop of a branch goes on; `null` where it is no branch of a loop. */
  goesOn(at: number): boolean | null {
    let goesOn = this.#goesOn.get(at);
    if (goesOn === undefined) this.#goesOn.set(at, (goesOn = goesOnWhere(this.#code, at)));
    return goesOn;
  }

  /** The answer for a predicate; `undefined` if nothing may be decided. */
  of(at: number, low: number, high: number): boolean | undefined {
    const known = this.known(low, high);
    if (known !== undefined || this.#answers === null || this.isClosed) return known;
    const count = this.#counts.get(at) ?? 0;
    this.#counts.set(at, count + 1);
    const question = { at, count, goesOn: this.goesOn(at) };
    const isTrue = this.#answers(question);
    this.list.push({ ...question, isTrue });
    this.answer(low, high, isTrue);
    return isTrue;
  }
}
