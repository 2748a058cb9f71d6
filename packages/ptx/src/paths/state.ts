// The state of a whole run at a cut, as a text: runs whose states have one text go on alike.
import { registersIn } from '../flow/liveness.ts';
import { NoCut } from '../exec/machine/cuts.ts';
import type { Question } from '../exec/machine/cuts.ts';
import type { Machine } from '../exec/machine/machine.ts';
import { LANES } from '../values/register-file.ts';
import { isVarying, mix, negate, start, vary } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { TermTable } from './term-table.ts';

/** A known value that is taken for any other is a term of its own. */
const WIDENED = 0x7769_6465;
const value: Wide = { low: 0, high: 0 };

/** The state of a run at a cut. */
export interface CutState {
  /** Equal for states that go on alike. */
  readonly text: string;
  /** The predicate that is asked for. */
  readonly question: Wide;
}

/** Values of live registers, to find those that change with each cut. */
export interface Watch {
  /** Registers whose values are taken for any other. */
  readonly widened: ReadonlySet<number>;
  /** A register of a warp holds a known value, of which this is a number. */
  readonly see: (warp: number, register: number, value: number) => void;
}

/**
 * Brings a run at a cut into the most general state that it is an example of: what is not known
 * becomes an input that has to do with nothing before, and nothing is answered any more but for
 * predicates that are still there. `stamp` differs for all cuts of a run.
 *
 * @throws NoCut where warps hold more than a state has.
 */
export function generalize(
  machine: Machine,
  warps: readonly Warp[],
  questions: ReadonlyMap<Warp, Question>,
  stamp: number,
  watch: Watch,
): CutState {
  if (machine.ctas > 1) throw new NoCut('several CTAs have no barrier of all threads');
  if (machine.memory.counters.isUsed) throw new NoCut('words are counted with');
  const generalization = new Generalization(machine, stamp, watch);
  const texts = warps.map((warp, index) => generalization.warp(warp, index));
  const question = questionOf(questions, (term) => generalization.rename(term));
  const { state, answers } = generalization;
  machine.memory.cut(state, Math.max(...machine.warps.map(({ progress }) => progress.meetings)));
  const { decisions } = machine;
  decisions.forget();
  for (const { low, high, isTrue } of answers) decisions.answer(low, high, isTrue);
  const text = `${state.low} ${state.high} ${texts.join('; ')}; ${machine.text}`;
  return { text, question };
}

/** Renames the terms of a state, and hashes it. */
class Generalization {
  readonly state: Wide = { low: 0, high: 0 };
  /** Answers of predicates that are still there. */
  readonly answers: { low: number; high: number; isTrue: boolean }[] = [];
  readonly #machine: Machine;
  readonly #stamp: number;
  readonly #watch: Watch;
  readonly #table = new TermTable();

  constructor(machine: Machine, stamp: number, watch: Watch) {
    this.#machine = machine;
    this.#stamp = stamp;
    this.#watch = watch;
    start(this.state, 0);
  }

  /** Gives a term the identity that it has from here on. */
  rename(term: Wide): void {
    const { state } = this;
    const { decisions } = this.#machine;
    const before = this.#table.size;
    const number = this.#table.of(term);
    const isNew = decisions.hasAnswers && this.#table.size > before;
    const answer = isNew ? decisions.known(term.low, term.high) : undefined;
    const isOfLanes = isVarying(term.high);
    start(term, this.#stamp);
    mix(term, number >>> 1, WIDENED, 0);
    if (isOfLanes) vary(term);
    if ((number & 1) === 1) negate(term);
    mix(state, number, isOfLanes ? 1 : 0, 1);
    if (answer === undefined) return;
    this.answers.push({ low: term.low, high: term.high, isTrue: answer });
    mix(state, answer ? 1 : 2, 0, 1);
  }

  /** Generalizes what a warp holds; the rest of its state as a text. */
  warp(warp: Warp, index: number): string {
    const machine = this.#machine;
    if (warp.stack.depth === 0) return 'ended';
    if (!warp.isDivisible || warp.apart.fibers.length > 0 || warp.wait.pending !== undefined)
      throw new NoCut('lanes of a warp are apart');
    const live = new Set<number>();
    for (const counter of warp.stack.counters())
      for (const register of registersIn(warp.program.liveBefore(counter))) live.add(register);
    for (const register of live) this.#register(warp, index, register);
    warp.local.cut(this.state, machine.fresh(), (term) => this.rename(term));
    const waits = [...machine.barriers.all].map(([, barrier]) => {
      const last = warp.progress.waited.get(barrier);
      return last === undefined ? 'none' : barrier.phase - last;
    });
    const { stack, steps, inFlight: flights } = warp;
    const { joins } = warp.apart;
    const inFlight = flights === null ? '' : flights.text;
    return [stack.text, joins.stateAfter(steps.length), waits, inFlight].join(' ');
  }

  #register({ registers, lanes }: Warp, index: number, register: number): void {
    const { low, high, known, perLane } = registers;
    const base = register * LANES;
    const isWidened = this.#watch.widened.has(register);
    const isUniform = perLane[register] === 0;
    mix(this.state, register, perLane[register]!, 0);
    let seen = 0;
    for (let rest = isUniform ? 1 : lanes; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const slot = base + lane;
      value.low = low[slot]!;
      value.high = high[slot]!;
      if (((known[register]! >>> lane) & 1) === 1) {
        if (!isWidened) {
          mix(this.state, value.low, value.high, 1);
          seen = Math.imul(seen ^ value.low ^ Math.imul(value.high, 0x85eb_ca77), 0x0100_0193) + 1;
          continue;
        }
        const { low: one, high: two } = value;
        start(value, WIDENED);
        mix(value, one, two, 1);
      }
      this.rename(value);
      low[slot] = value.low;
      high[slot] = value.high;
    }
    if (isWidened) known[register] = 0;
    else if (known[register] !== 0) this.#watch.see(index, register, seen);
  }
}

/** The one question of all warps, renamed. */
function questionOf(questions: ReadonlyMap<Warp, Question>, rename: (term: Wide) => void): Wide {
  const terms = [...questions.values()].map(({ at, low, high }) => {
    const term = { low, high };
    rename(term);
    return { at, term };
  });
  const [first] = terms;
  const opposite = { ...first!.term };
  negate(opposite);
  const isOne = terms.every(({ at, term }) => {
    const isSame = term.low === first!.term.low && term.high === first!.term.high;
    const isOpposite = term.low === opposite.low && term.high === opposite.high;
    return at === first!.at && (isSame || isOpposite);
  });
  if (!isOne) throw new NoCut('warps come to different questions');
  return first!.term;
}
