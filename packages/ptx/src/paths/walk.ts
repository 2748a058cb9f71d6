// One run through the graph of states: it answers each question so that new ways are followed.
import { NoCut } from '../exec/machine/cuts.ts';
import type { Cuts, Question } from '../exec/machine/cuts.ts';
import type { Machine } from '../exec/machine/machine.ts';
import { mix, start } from '../values/terms.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { END } from './graph.ts';
import type { Graph, Way } from './graph.ts';
import { OpenSteps } from './open-steps.ts';
import { generalize } from './state.ts';
import { keyOfStep } from './step-key.ts';

/** The most questions of one run. */
const MAX_CUTS = 256;
/** The most states of one run that no run was in before: more are taken for no end of them. */
const MAX_NEW = 48;

/** More registers have to be taken for any value: what was followed so far does not count. */
export class Widened extends Error {}

/** Registers whose values no state keeps, because each round has others. */
export class Widening {
  readonly registers = new Set<number>();
  readonly #most: number;
  readonly #seen = new Map<string, Set<number>>();
  #isNew = false;

  /** `most` are the values that a register may have at one question. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Notes a value of a register at a question. */
  see(at: number, warp: number, register: number, value: number): void {
    const key = `${at} ${warp} ${register}`;
    let values = this.#seen.get(key);
    if (values === undefined) this.#seen.set(key, (values = new Set()));
    values.add(value);
    if (values.size <= this.#most || this.registers.has(register)) return;
    this.registers.add(register);
    this.#isNew = true;
  }

  /** Whether registers were added since the last call. */
  takeNew(): boolean {
    const isNew = this.#isNew;
    this.#isNew = false;
    return isNew;
  }
}

/** The answers of one run. */
export class Walk implements Cuts {
  readonly #graph: Graph;
  readonly #widening: Widening;
  #open: OpenSteps | null = null;
  #cuts = 0;
  #new = 0;
  #way: Way | null = null;
  /** Steps of each warp at the last cut. */
  #before: number[] = [];
  #warps: readonly Warp[] = [];

  constructor(graph: Graph, widening: Widening) {
    this.#graph = graph;
    this.#widening = widening;
    graph.begin();
  }

  cut(machine: Machine, warps: readonly Warp[], questions: ReadonlyMap<Warp, Question>): void {
    if (++this.#cuts > MAX_CUTS) throw new NoCut('one run comes to too many questions');
    const stamp = this.#cuts;
    const { at, subject } = [...questions.values()][0]!;
    const open = (this.#open ??= new OpenSteps(machine, warps)).at(warps, stamp);
    const { text, question } = generalize(machine, warps, questions, stamp, {
      widened: this.#widening.registers,
      see: (warp, register, value) => this.#widening.see(at, warp, register, value),
    });
    if (this.#widening.takeNew()) throw new Widened();
    this.#warps = warps;
    const known = this.#graph.size;
    const id = this.#graph.state(`${at} ${text} ${open}`);
    if (this.#graph.size > known && ++this.#new > MAX_NEW)
      throw new NoCut('one run comes to ever new states');
    this.#come(id);
    const goesOn = machine.decisions.goesOn(at);
    const answer = this.#graph.next(id, goesOn === false ? 0 : 1);
    this.#way = { from: id, answer };
    machine.decisions.answer(question.low, question.high, answer === 1);
    machine.decisions.note(at, { bits: subject.bits, sources: subject.sources }, answer === 1);
  }

  /** The run has come to its end. */
  end(): void {
    this.#come(END);
    this.#graph.commit();
  }

  #come(to: number): void {
    const state = { low: 0, high: 0 };
    start(state, to);
    for (const [index, { steps }] of this.#warps.entries()) {
      mix(state, index, 0, 0);
      for (let at = this.#before[index] ?? 0; at < steps.length; at++) {
        const { low, high } = keyOfStep(steps[at]!);
        mix(state, low, high, 1);
      }
    }
    this.#before = this.#warps.map(({ steps }) => steps.length);
    if (this.#way === null) return;
    // A state stands for all that it follows from: nothing but the answer decides what comes next.
    if (!this.#graph.follow(this.#way, to, `${state.low} ${state.high}`))
      throw new NoCut('equal states go on differently');
  }
}
