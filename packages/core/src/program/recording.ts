// Recorded step lists: one run of every role as data that can be edited and run again.
import type { Position } from '../base/index.ts';
import type { Flight, Instruction, Machine } from '../machine/index.ts';
import { StepsDecorator } from './steps-decorator.ts';
import type { Misuse, Owned } from './ownership.ts';
import type { Pending } from './pending-operations.ts';
import type { StepId, Steps } from './steps.ts';

/** One step that a role made, and the answer it got. */
export interface RecordedStep {
  readonly instruction: Instruction | null;
  readonly misuse: Misuse | null;
  readonly answer: number;
  /** The step it was recorded from, which knows its place; −1 where the step knows it itself. */
  readonly source: StepId;
  readonly place?: Position | undefined;
  readonly otherPlace?: Position | undefined;
  /** What the role owns as it stands at the step. */
  readonly owned?: readonly Owned[];
}

/** Steps that write down what a run follows: each role's list, in order. */
export class RecordingSteps extends StepsDecorator {
  readonly lists: RecordedStep[][];

  constructor(steps: Steps, roles: number) {
    super(steps);
    this.lists = Array.from({ length: roles }, () => []);
  }

  override follow(step: StepId, answer: number): StepId {
    const instruction = this.steps.instruction(step);
    const misuse = this.steps.misuse(step);
    if (instruction !== null) {
      this.lists[instruction.role]!.push({ instruction, misuse, answer, source: step });
    }
    return this.steps.follow(step, answer);
  }
}

/**
 * Steps that play lists back, edited or not. Answers of the lists are not used: the system gives
 * its own, and a list goes on with its next step whatever they are.
 */
export class ListSteps implements Steps {
  readonly canCircle = false;
  readonly #lists: readonly (readonly RecordedStep[])[];
  readonly #starts: number[] = [];
  readonly #steps: (RecordedStep | null)[] = [];
  readonly #source: Steps | null;

  /** `flights` is the table that the lists were recorded with; `source` knows their places. */
  constructor(
    lists: readonly (readonly RecordedStep[])[],
    flights: readonly Flight[],
    machine: Machine,
    source: Steps | null,
  ) {
    this.#lists = lists;
    this.#source = source;
    for (const flight of flights) machine.flights.intern(flight);
    for (const list of lists) {
      this.#starts.push(this.#steps.length);
      this.#steps.push(...list, null);
    }
  }

  entry(role: number): StepId {
    return this.#starts[role]!;
  }

  instruction(step: StepId): Instruction | null {
    return this.#steps[step]?.instruction ?? null;
  }

  misuse(step: StepId): Misuse | null {
    return this.#steps[step]?.misuse ?? null;
  }

  isRetry(): boolean {
    return false;
  }

  position(step: StepId): Position | undefined {
    const recorded = this.#steps[step];
    if (recorded === null || recorded === undefined) return undefined;
    return recorded.place ?? this.#source?.position(recorded.source);
  }

  otherPosition(step: StepId): Position | undefined {
    const recorded = this.#steps[step];
    if (recorded === null || recorded === undefined) return undefined;
    return recorded.otherPlace ?? this.#source?.otherPosition(recorded.source);
  }

  owned(step: StepId): readonly Owned[] {
    return this.#steps[step]?.owned ?? [];
  }

  /** A list is what a role did: it can not say what it might still do. */
  pending(): readonly Pending[] {
    return [];
  }

  follow(step: StepId): StepId {
    return step + 1;
  }

  known(step: StepId): StepId {
    return step + 1;
  }

  answers(): readonly number[] {
    return [0];
  }

  get size(): number {
    return this.#steps.length;
  }

  /** The lists that are played. */
  get lists(): readonly (readonly RecordedStep[])[] {
    return this.#lists;
  }
}
