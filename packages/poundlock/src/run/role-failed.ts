// The error of `run` for a role that threw or whose thread died: which role, where, stages held.
import { InputError, type Position } from '@poundlock/core/internal/base';
import type { HeldStage } from './job.ts';

/** How many items went through a ring before a role failed. */
export interface RingItems {
  /** The ring. */
  readonly ring: string;
  /** Stages that the busiest producer acquired: the last ones may not have been filled. */
  readonly begun: number;
  /** Stages that the busiest consumer acquired. */
  readonly taken: number;
}

/**
 * Thrown by {@link run} if a role throws or its thread dies. A stage that the role was filling was
 * not passed on.
 *
 * @example
 * import { isMainThread } from 'node:worker_threads';
 * import { compute, kernel, role } from 'poundlock';
 * import { RoleFailed, run } from 'poundlock/run';
 *
 * const work = (): void => {
 *   throw new Error('no data');
 * };
 * export const failing = kernel('failing', {}, () => [
 *   role('load', function* () {
 *     yield* compute(100, work);
 *   }),
 * ]);
 * if (isMainThread) {
 *   const options = { module: import.meta.url, export: 'failing' };
 *   const error: unknown = await run(failing, {}, options).catch((reason: unknown) => reason);
 *   console.log(error instanceof RoleFailed && error.role); // load
 * }
 */
export class RoleFailed extends InputError {
  /** The role that failed. */
  readonly role: string;
  /** The stages that it held. */
  readonly held: readonly HeldStage[];
  /** The error message, or how its thread ended. */
  readonly reason: string;
  /** How many items went through each ring. */
  readonly items: readonly RingItems[];

  /** @internal */
  constructor(
    role: string,
    reason: string,
    held: readonly HeldStage[],
    items: readonly RingItems[],
    position: Position | undefined,
  ) {
    const stages = held.map(({ ring, stage }) => `stage ${stage} of ${ring}`).join(' and ');
    const holding = stages === '' ? '' : ` while it held ${stages}`;
    const counts = items.map(
      ({ ring, begun, taken }) => `${ring} ${begun} started, ${taken} taken`,
    );
    const through = counts.length === 0 ? '' : `; tiles before the failure: ${counts.join('; ')}`;
    super(`role ${role} failed${holding}: ${reason}${through}`, position);
    this.role = role;
    this.held = held;
    this.reason = reason;
    this.items = items;
  }
}
