// A role as a graph of steps, the interface between programs and systems.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Misuse, Owned } from './ownership.ts';
import type { Pending } from './pending-operations.ts';

/** A step of a role, as a small integer that never changes its meaning. */
export type StepId = number;

/** Roles as steps: unfolded from generators, or recorded lists that were edited. */
export interface Steps {
  /** The first step of a role. */
  entry(role: number): StepId;
  /** The operation of a step; `null` for the end of the role and for a misuse. */
  instruction(step: StepId): Instruction | null;
  /** The misuse that a step is, or `null`. */
  misuse(step: StepId): Misuse | null;
  /** Where the user wrote it; found out on demand, and slowly. */
  position(step: StepId): Position | undefined;
  /** For a misuse: where the acquire or release was that it collides with. */
  otherPosition(step: StepId): Position | undefined;
  /** What a role owns at a step. */
  owned(step: StepId): readonly Owned[];
  /** The operations that a role has created and not performed as it stands at a step (P13). */
  pending(step: StepId): readonly Pending[];
  /** Whether a role may come back to a step without having counted: only then are there circles. */
  readonly canCircle: boolean;
  /** P07: whether a try follows the same try, which failed, with nothing between. */
  isRetry(step: StepId): boolean;
  /** The step after `step`, when its operation was answered with `answer`. */
  follow(step: StepId, answer: number): StepId;
  /** The same where it is known, else −1: runs nothing of the program. */
  known(step: StepId, answer: number): StepId;
  /** The answers of `step` that were followed. */
  answers(step: StepId): readonly number[];
  /** Grows whenever a step or a way from one to another becomes known. */
  readonly size: number;
}
