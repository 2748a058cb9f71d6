// A decorator of steps, for classes that change one or two of the answers.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Misuse, Owned } from './ownership.ts';
import type { Pending } from './pending-operations.ts';
import type { StepId, Steps } from './steps.ts';

/** Asks other steps everything. */
export abstract class StepsDecorator implements Steps {
  protected readonly steps: Steps;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  get canCircle(): boolean {
    return this.steps.canCircle;
  }

  get size(): number {
    return this.steps.size;
  }

  entry(role: number): StepId {
    return this.steps.entry(role);
  }

  instruction(step: StepId): Instruction | null {
    return this.steps.instruction(step);
  }

  misuse(step: StepId): Misuse | null {
    return this.steps.misuse(step);
  }

  isRetry(step: StepId): boolean {
    return this.steps.isRetry(step);
  }

  position(step: StepId): Position | undefined {
    return this.steps.position(step);
  }

  otherPosition(step: StepId): Position | undefined {
    return this.steps.otherPosition(step);
  }

  owned(step: StepId): readonly Owned[] {
    return this.steps.owned(step);
  }

  pending(step: StepId): readonly Pending[] {
    return this.steps.pending(step);
  }

  follow(step: StepId, answer: number): StepId {
    return this.steps.follow(step, answer);
  }

  known(step: StepId, answer: number): StepId {
    return this.steps.known(step, answer);
  }

  answers(step: StepId): readonly number[] {
    return this.steps.answers(step);
  }
}
