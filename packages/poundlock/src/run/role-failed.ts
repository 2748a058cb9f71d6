// The error of `run` for a role that threw or whose thread died: which role, where, stages held.
import { InputError, type Position } from '@poundlock/core/internal/base';
import type { HeldStage } from './job.ts';

/** The progress of a ring until the failure. */
export interface RingItems {
  readonly ring: string;
  /** Stages that the busiest producer acquired; the last ones may not have been committed. */
  readonly begun: number;
  /** Stages that the busiest consumer acquired. */
  readonly taken: number;
}

/** Thrown by `run`. The tile that the role was working on was not committed. */
export class RoleFailed extends InputError {
  readonly role: string;
  readonly held: readonly HeldStage[];
  readonly reason: string;
  readonly items: readonly RingItems[];

  constructor(
    role: string,
    reason: string,
    held: readonly HeldStage[],
    items: readonly RingItems[],
    position: Position | undefined,
  ) {
    const stages = held.map(({ ring, stage }) => `stage ${stage} of ${ring}`).join(' and ');
    const holding = stages === '' ? '' : ` while it held ${stages}`;
    const counts = items.map(({ ring, begun, taken }) => `${ring} ${begun} begun, ${taken} taken`);
    const through = counts.length === 0 ? '' : `; tiles until then: ${counts.join('; ')}`;
    super(`role ${role} failed${holding}: ${reason}${through}`, position);
    this.role = role;
    this.held = held;
    this.reason = reason;
    this.items = items;
  }
}
