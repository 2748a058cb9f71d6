// Two runs of a role with the same answers that did different things.
import type { Instruction } from '../machine/index.ts';
import type { Position } from '../base/index.ts';
import type { StepId } from './steps.ts';

/** Thrown when a role, re-run with the answers it had, takes another step than before. */
export class NondeterminismError extends Error {
  override readonly name = 'NondeterminismError';
  readonly role: number;
  /** The step that it took the first time, or −1 where it had ended. */
  readonly expected: StepId;
  /** What it did now, `null` where it ended or misused a handle. */
  readonly found: Instruction | null;
  readonly foundAt: Position | undefined;
  /** Whether only running rounds in place shows the difference: a captured variable changed. */
  readonly inLoop: boolean;

  constructor(
    role: number,
    expected: StepId,
    found: Instruction | null,
    foundAt: Position | undefined,
    inLoop: boolean,
  ) {
    super(`role ${role} is not deterministic`);
    this.role = role;
    this.expected = expected;
    this.found = found;
    this.foundAt = foundAt;
    this.inLoop = inLoop;
  }
}
