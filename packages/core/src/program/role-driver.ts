// The life of a role, for every engine: its start, its silent steps, its end.
//
// Engines keep their own data and perform the visible operations. Only `run` does not use the
// driver: its roles perform operations at the call, each on its own thread (`in-place.ts`). Driving
// them step by step takes 20 to 50 % longer (an engine that answers at once, both roles of
// models/m1a). It shares the end of a role, which is the machine's: `Machine.endRole`.
import { InvariantError, type Alarm } from '../base/index.ts';
import type { Machine } from '../machine/index.ts';
import { CATALOGUE, type OpKind, type SilentKind } from '../op/index.ts';
import type { Role } from './role.ts';

/** What a role has come to. */
export const Stand = {
  /** An operation that others can see, or that waits for them: the engine says when it happens. */
  visible: 0,
  /** An operation that touches nothing of others: it is passed at once (P10). */
  silent: 1,
  end: 2,
  /** A misuse of a handle: the role has not ended, and does not go on. */
  misuse: 3,
  /** A silent operation that breaks a rule: nor does the role go on from there. */
  broken: 4,
} as const;
export type Stand = (typeof Stand)[keyof typeof Stand];

const STANDS = CATALOGUE.map((entry): Stand => {
  switch (entry.class) {
    case 'silent':
      return Stand.silent;
    case 'ghost':
      return Stand.misuse;
    case 'blocking':
    case 'posted':
    case 'control':
      return Stand.visible;
  }
});

/** What a role has come to at an operation. */
export function standAt(kind: OpKind): Stand {
  return STANDS[kind]!;
}

/** P10: engines pass silent operations, and perform the visible ones alone. */
export function neverPerformed(kind: SilentKind): never {
  throw new InvariantError(`${CATALOGUE[kind]!.name} is silent and has no handler`);
}

/** The most silent operations (steps, counts, computing) in a row (bound `silent`). */
export const MAX_SILENT = 1_000_000;

/** What an engine knows of its roles. `words` is the state that it works on. */
export interface RoleHost {
  hasStarted(words: Int32Array, role: number): boolean;
  /** Whether a role has come to its end, which is no misuse. */
  hasEnded(words: Int32Array, role: number): boolean;
  /** Puts a role at its first step. */
  enter(words: Int32Array, role: number): Stand;
  /** Performs the silent operation that a role is at, and moves the role on by one step. */
  pass(words: Int32Array, role: number): Stand;
  /** A role has reached a misuse. */
  misused(words: Int32Array, role: number): void;
  /**
   * A role has ended, and the machine has recorded it: `machine.fault` is what that breaks.
   * `isOpen`: the cluster barrier that others arrived at lets them go on (N06).
   */
  ended(words: Int32Array, role: number, isOpen: boolean): void;
  /** A role, at the operation that `words` shows, passes more silent ones in a row than it may. */
  endless(words: Int32Array, role: number): never;
}

/** Drives the roles of one engine from visible operation to visible operation. */
export class RoleDriver {
  readonly #host: RoleHost;
  readonly #roles: readonly Role[];
  readonly #machine: Machine | null;
  readonly #maxSilent: number;
  readonly #alarm: Alarm;

  /** Without a machine a role runs alone: its end has no effect on others. */
  constructor(
    host: RoleHost,
    { roles, alarm }: { readonly roles: readonly Role[]; readonly alarm: Alarm },
    machine: Machine | null,
    maxSilent = MAX_SILENT,
  ) {
    this.#host = host;
    this.#roles = roles;
    this.#alarm = alarm;
    this.#machine = machine;
    this.#maxSilent = maxSilent;
  }

  /** Starts the roles that need not be spawned, from the first to the last or the other way. */
  startAll(words: Int32Array, lastFirst = false): void {
    const { length } = this.#roles;
    for (let at = 0; at < length; at++) {
      const role = lastFirst ? length - 1 - at : at;
      if (!this.#roles[role]!.spawned) this.start(words, role);
    }
  }

  /** L01: starts a role, at a spawn or with the kernel; `false` if it has started before. */
  start(words: Int32Array, role: number): boolean {
    if (this.#host.hasStarted(words, role)) return false;
    this.settle(words, role, this.#host.enter(words, role));
    return true;
  }

  /** L01: whether a join of a role may go on: once that role has ended. */
  mayJoin(words: Int32Array, role: number): boolean {
    return this.#host.hasEnded(words, role);
  }

  /**
   * P10: brings a role from what it has just come to, `first`, to its next visible operation or its
   * end, unless a misuse or a broken rule comes before that.
   */
  settle(words: Int32Array, role: number, first: Stand): Stand {
    const host = this.#host;
    let stand = first;
    for (let left = this.#maxSilent; stand === Stand.silent; left--) {
      if (left === 0) host.endless(words, role);
      this.#alarm.tick();
      stand = host.pass(words, role);
    }
    if (stand !== Stand.visible) this.#stop(words, role, stand);
    return stand;
  }

  #stop(words: Int32Array, role: number, stand: Stand): void {
    if (stand === Stand.misuse) this.#host.misused(words, role);
    if (stand !== Stand.end) return;
    // L02, N02: its CTA has one role less, and a cluster barrier can not complete without it.
    // P14: a role that is cut may go on.
    const isOpen = !this.#roles[role]!.isCut && this.#machine?.endRole(words, role) === true;
    this.#host.ended(words, role, isOpen);
  }
}
