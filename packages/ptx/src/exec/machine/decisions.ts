// What the launch does not decide in one run: a predicate with one identity has one answer in all
// warps.
import { goesOnWhere } from '../../flow/way-back.ts';
import type { Answers, Subject, Decision } from '../../steps/decision.ts';
import type { PtxFunction } from '../../text/module.ts';
import { mix, negate, seedOf, start } from '../../values/terms.ts';
import { NoCut } from './cuts.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin, Place } from '../../values/origin.ts';
import { alwaysOf } from '../origins/always.ts';
import { Evaluator } from '../origins/evaluate.ts';
import type { Machine } from './machine.ts';
import type { Wide } from '../../values/wide.ts';

const opposite: Wide = { low: 0, high: 0 };
const choice: Wide = { low: 0, high: 0 };
const CHOICE = seedOf('a choice');
const UNANSWERED = 'a wait for an mbarrier that gives up after some tries';

/** What a run leaves open that questions may decide: each is more than those before. */
const DEGREES = ['nothing', 'accesses', 'joins', 'tries'] as const;
export type Open = (typeof DEGREES)[number];

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

  readonly #predicates = new Map<Origin, boolean>();

  /**
   * What a predicate is whatever the launch leaves open, or by the answers so far, of a lane in
   * which it is computed from predicates that were asked for; `undefined`: they do not say.
   */
  implied({ origin, lane }: Subject, place: Place): boolean | undefined {
    if (origin === undefined || lane === undefined) return undefined;
    const always = alwaysOf(origin, lane, place);
    if (always !== undefined || this.#predicates.size === 0) return always;
    const evaluator = new Evaluator([origin], { hidesAddresses: true, answers: this.#predicates });
    evaluator.at(place);
    return evaluator.valueOf(origin, lane, choice) ? choice.low !== 0 : undefined;
  }

  /** Whether what was not answered so far stays open. */
  isClosed = false;

  /** Whether a question is asked also where accesses, joins of lanes or one try rest on it. */
  isClose = false;

  /** What is left open where such a question is not asked. */
  open: Open = 'nothing';

  /** What is not known decides what happens, which is left open. */
  leavesOpen(what: Open): void {
    this.open = DEGREES[Math.max(DEGREES.indexOf(what), DEGREES.indexOf(this.open))]!;
  }

  /** Whether a question is asked of all warps at once, in a state that others may be equal to. */
  areCuts = false;

  /** Whether something was answered that is not forgotten. */
  get hasAnswers(): boolean {
    return this.#byTerm.size > 0;
  }

  /** Forgets all answers: what was asked before a cut is asked again. */
  forget(): void {
    this.#byTerm.clear();
    this.#predicates.clear();
  }

  /** Answers a predicate with the term of two halves. */
  answer(low: number, high: number, isTrue: boolean): void {
    let terms = this.#byTerm.get(low);
    if (terms === undefined) this.#byTerm.set(low, (terms = new Map()));
    terms.set(high, isTrue);
  }

  /** Adds the answer that a cut is left with. */
  note(at: number, subject: Subject, isTrue: boolean): void {
    const count = this.#counts.get(at) ?? 0;
    this.#counts.set(at, count + 1);
    this.list.push({ at, count, goesOn: this.goesOn(at), subject, isTrue });
  }

  /** The answer with which the loop of a branch goes on; `null` where it is no branch of a loop. */
  goesOn(at: number): boolean | null {
    let goesOn = this.#goesOn.get(at);
    if (goesOn === undefined) this.#goesOn.set(at, (goesOn = goesOnWhere(this.#code, at)));
    return goesOn;
  }

  /** A question that is asked anew each time; what is not answered ends the run. */
  choose(at: number, subject: Subject, machine: Machine): boolean {
    if (this.areCuts) throw new NoCut(UNANSWERED);
    start(choice, CHOICE);
    mix(choice, machine.fresh(), 0, 0);
    return this.of(at, subject, choice.low, choice.high) ?? machine.undecided(at, UNANSWERED);
  }

  /** The answer for a predicate; `undefined` if nothing may be decided. */
  of(at: number, subject: Subject, low: number, high: number): boolean | undefined {
    const known = this.known(low, high);
    if (known !== undefined || this.#answers === null || this.isClosed) return known;
    const count = this.#counts.get(at) ?? 0;
    this.#counts.set(at, count + 1);
    const question = { at, count, goesOn: this.goesOn(at), subject };
    const isTrue = this.#answers(question);
    this.list.push({ ...question, isTrue });
    this.answer(low, high, isTrue);
    if (subject.origin !== undefined && subject.origin !== OPAQUE)
      this.#predicates.set(subject.origin, isTrue);
    return isTrue;
  }
}
