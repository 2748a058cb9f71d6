// Tries while all orders of choices are explored: most decide a wait alone, and are no choice (T7).
import { isWait, OpKind } from '@poundlock/core/internal/op';
import type { Instruction } from '@poundlock/core/internal/machine';
import type { StepId } from '@poundlock/core/internal/program';
import { CertificateFailure } from './certificate-failure.ts';
import { skips } from './rejoin.ts';
import type { LearnedTraits } from './run-state.ts';

/** Variants of a role at one time (bound `variants`): with more, its tries are choices. */
const MAX_VARIANTS = 16;
/** Tries of a role that are choices, after which all of them are. */
const MAX_CHOICES = 32;

/** The role with other results of its tries: its step, and the phases that they have seen. */
interface Variant {
  readonly step: StepId;
  readonly seen: readonly number[];
}

/** A role at some time: tries that it has not waited for, the steps of those, and its variants. */
interface Situation {
  readonly open: readonly number[];
  readonly tries: readonly StepId[];
  readonly variants: readonly Variant[];
}

const NOTHING: Situation = { open: [], tries: [], variants: [] };

/** How steps are followed: those of a symmetric role are the first one's. */
export interface RoleSteps {
  instruction(role: number, step: StepId): Instruction | null;
  follow(role: number, step: StepId, answer: number): StepId;
  isRetry(step: StepId): boolean;
  /** The first of a row of equal tries that failed. */
  rowStart(step: StepId): StepId;
  /** What a wait or a retry returns. */
  waitAnswer(instruction: Instruction): number;
  /** A role is in a situation that symmetric roles do not share. */
  single(role: number): void;
}

/**
 * Each try fails, and the role is compared with itself after other results, step by step, until
 * both are at one step. Where they do something else, the tries become choices and all restarts.
 */
export class TryVariants {
  /** Part of the state: by role, the number of its situation. */
  readonly extra: Int32Array;
  readonly #steps: RoleSteps;
  readonly #learned: LearnedTraits;
  readonly #situations: Situation[] = [NOTHING];
  readonly #numbers = new Map<string, number>([[keyOf(NOTHING), 0]]);
  readonly #phases = new Map<string, number>();

  constructor(roles: number, steps: RoleSteps, learned: LearnedTraits) {
    this.extra = new Int32Array(roles);
    this.#steps = steps;
    this.#learned = learned;
  }

  begin(): void {
    this.extra.fill(0);
  }

  /** Whether a try, which is no retry, is answered with no alone. */
  mayFail(role: number, step: StepId): boolean {
    const { choiceTries, choiceRoles } = this.#learned;
    return !choiceRoles.has(role) && !choiceTries.has(this.#steps.rowStart(step));
  }

  /** `role` goes on from `step`; `isFailed`: from a try that is answered with no alone. */
  follow(role: number, step: StepId, answer: number, isFailed: boolean): void {
    const number = this.extra[role]!;
    if (number === 0 && !isFailed) return;
    const before = this.#situations[number]!;
    const instruction = this.#steps.instruction(role, step)!;
    const phase = this.#phaseOf(instruction);
    const tries = isFailed ? [...before.tries, step] : before.tries;
    const fail = (): never => this.#fail(role, tries);
    const variants: Variant[] = [];
    const go = (from: StepId, result: number, seen: readonly number[]): void => {
      variants.push({ step: this.#steps.follow(role, from, result), seen });
    };
    if (isFailed) go(step, 1, [phase]);
    for (const variant of before.variants) {
      const found = this.#steps.instruction(role, variant.step);
      const isSame = found === instruction;
      if (isSame && this.#steps.isRetry(variant.step) !== this.#steps.isRetry(step)) fail();
      else if (isSame && isFailed) {
        go(variant.step, 0, variant.seen);
        go(variant.step, 1, [...variant.seen, phase]);
      } else if (isSame) go(variant.step, answer, variant.seen);
      else if (!this.#isTest(step, instruction) || !variant.seen.includes(phase)) fail();
      else if (skips(found, instruction)) go(variant.step, answer, variant.seen);
      else variants.push(variant);
    }
    if (variants.length > MAX_VARIANTS) {
      this.#learned.choiceRoles.add(role);
      fail();
    }
    const { open } = before;
    const goOn = (situation: Partial<Situation>): void => {
      const next = this.#steps.follow(role, step, answer);
      this.#come(role, next, { open, tries, variants, ...situation });
    };
    if (isFailed) {
      // The barrier must not complete a further phase before the role waits for this one.
      if (open.some((one) => this.#isOneBarrier(one, phase))) fail();
      goOn({ open: [...open, phase] });
    } else if (this.#isTest(step, instruction)) {
      goOn({ open: open.filter((one) => one !== phase) });
    } else if (instruction.kind === OpKind.step) {
      if (open.includes(phase)) fail();
      const seenBut = (seen: readonly number[]) => seen.filter((one) => one !== phase);
      goOn({ variants: variants.map((one) => ({ step: one.step, seen: seenBut(one.seen) })) });
    } else goOn({});
  }

  /** Drops what needs no comparison any more, now that the role is at `next`. */
  #come(role: number, next: StepId, { open, tries, variants }: Situation): void {
    const instruction = this.#steps.instruction(role, next);
    const isTest = instruction !== null && this.#isTest(next, instruction);
    const phase = isTest ? this.#phaseOf(instruction) : -1;
    const after = isTest
      ? this.#steps.follow(role, next, this.#steps.waitAnswer(instruction))
      : next;
    const left = new Map<StepId, readonly number[]>();
    for (const { step, seen } of variants) {
      if (step === next || (step === after && seen.includes(phase))) continue;
      const known = left.get(step);
      left.set(step, known === undefined ? seen : known.filter((one) => seen.includes(one)));
    }
    const still = open.filter((one) => one !== phase);
    if (instruction === null && (left.size > 0 || still.length > 0)) this.#fail(role, tries);
    const situation =
      left.size === 0 && still.length === 0
        ? NOTHING
        : {
            open: still,
            tries: [...new Set(tries)],
            variants: [...left].map(([step, seen]) => ({ step, seen })),
          };
    this.extra[role] = this.#numberOfSituation(situation);
    if (this.extra[role] !== 0) this.#steps.single(role);
  }

  #isTest(step: StepId, { kind }: Instruction): boolean {
    return (isWait(kind) && kind !== OpKind.waitParity) || this.#steps.isRetry(step);
  }

  /** The phase that a wait or a try tests, as a number. */
  #phaseOf(instruction: Instruction): number {
    return this.#numberOf(nameOf(instruction));
  }

  #numberOf(name: string): number {
    const known = this.#phases.get(name);
    if (known !== undefined) return known;
    this.#phases.set(name, this.#phases.size);
    return this.#phases.size - 1;
  }

  #isOneBarrier(one: number, other: number): boolean {
    const names = [...this.#phases.keys()];
    const [a, b] = [names[one]!, names[other]!];
    return a.slice(0, a.lastIndexOf(' ')) === b.slice(0, b.lastIndexOf(' '));
  }

  #numberOfSituation(situation: Situation): number {
    const key = keyOf(situation);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#situations.push(situation) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  #fail(role: number, tries: readonly StepId[]): never {
    const { choiceTries, choiceRoles } = this.#learned;
    if (this.#learned.areTriesNoChoices) {
      throw new CertificateFailure('choice', 'the result of a try decides more than one wait');
    }
    // A row of tries is tried again before it is waited for: all of them are choices.
    for (const step of tries) choiceTries.add(this.#steps.rowStart(step));
    if (choiceTries.size > MAX_CHOICES) choiceRoles.add(role);
    throw new CertificateFailure('again', 'the result of a try decides more than one wait');
  }
}

/** The barrier and the phase, or the ring and its side, that a wait, try or step is about. */
function nameOf({ kind, target, phase, side }: Instruction): string {
  const isAbsolute = kind === OpKind.wait || kind === OpKind.tryWait;
  return isAbsolute ? `barrier ${target} ${phase}` : `ring ${target} ${side}`;
}

function keyOf({ open, tries, variants }: Situation): string {
  return JSON.stringify([open, tries, variants.map(({ step, seen }) => [step, ...seen])]);
}
