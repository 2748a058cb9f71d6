// Who came last to the barriers that count roles: it ended the waits of those that were there.
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';

/** An arrival of a role, in cycles. */
export interface Arrival {
  readonly role: number;
  readonly time: number;
}

/** The barrier of the cluster, beside the named ones by number. */
const CLUSTER = -1;

/** Which barrier an operation gathers roles at, a named one or the cluster's; else `null`. */
function barrierOf({ kind, target }: Instruction): number | null {
  if (kind === OpKind.syncNamed || kind === OpKind.arriveNamed) return target;
  const isCluster = kind === OpKind.syncCluster || kind === OpKind.arriveCluster;
  return isCluster || kind === OpKind.waitCluster ? CLUSTER : null;
}

/** The last arrivals at named barriers and at that of the cluster. */
export class LastArrivals {
  readonly #last = new Map<number, Arrival>();

  /** The arrival that ended the wait of an operation; else the operation may be one itself. */
  endOf(instruction: Instruction, { role, time }: Arrival, stall: number): Arrival | undefined {
    const barrier = barrierOf(instruction);
    if (barrier === null) return undefined;
    if (stall > 0) return this.#last.get(barrier);
    if (instruction.kind !== OpKind.waitCluster) this.#last.set(barrier, { role, time });
    return undefined;
  }
}
