// Ghost state of ownership: which stages a role holds, and every misuse of a handle (O01-O09).
import type { Position } from '../base/index.ts';
import type { ScheduleRule } from '../finding/index.ts';
import { isGhostOp, makeOp, OpKind, Side } from '../op/index.ts';
import type { GhostKind, GhostOp, Op } from '../op/index.ts';
import type { StageHandle } from './handle.ts';
import { LiveHandles, type Owned } from './live-handles.ts';
import { PendingOperations } from './pending-operations.ts';

/** The rules that a misuse can break. */
export type OwnershipRule = Extract<
  ScheduleRule,
  | 'child-outlives-parent'
  | 'divergent-step'
  | 'double-acquire'
  | 'double-release'
  | 'floating-op'
  | 'leaked-stage'
  | 'release-order'
  | 'use-after-release'
>;

/**
 * A misuse of a handle, or an operation that is never performed: what makes a ghost operation that
 * stays in the role's steps.
 */
export interface Misuse {
  readonly rule: OwnershipRule;
  readonly ring: number;
  readonly side: Side;
  /** The stage, −1 where the misuse names none. */
  readonly stage: number;
  /** Whether the counter of its ring moves at the release. */
  readonly steps: boolean;
  /** Whether a call releases it, and not the end of a block. */
  readonly linear: boolean;
  /** The call that created the operation, of one that is never performed; else empty. */
  readonly call: string;
  /** The other call that matters: the acquire, or the first release, or another handle's. */
  readonly other: {
    readonly at: Position | undefined;
    /** The ring and stage, where it is another handle's; else −1. */
    readonly ring: number;
    readonly stage: number;
    /** Why the role has no right to the handle. */
    readonly why: 'released' | 'moved' | 'foreign';
  };
}

/** The most operations that are reported of one role or round (bound `unperformed`). */
const MAX_UNPERFORMED = 16;

/** A misuse that the end of a role or of a round is, and where its cause was called. */
interface Leak {
  readonly op: Op;
  readonly place: Position | undefined;
}

/** What one role owns. Handles are known by ids, which never repeat in a role instance. */
export class Ownership {
  readonly live = new LiveHandles();
  /** Operations have ids of the same numbers as handles. */
  readonly pending = new PendingOperations();
  readonly #releasedAt = new Map<number, Position | undefined>();
  /** Handles whose stage was moved to another handle. */
  readonly #moved = new Set<number>();
  /** By ring and side. */
  readonly #steps: number[] = [];
  nextId = 0;
  /** Counts loops and rounds: what an instance has stepped says something only between two. */
  stretch = 0;

  /** Performs a ghost operation; returns it with its {@link Misuse}, or `null` when all is well. */
  perform(op: GhostOp, position: Position | undefined): Op | null {
    const handle = handleOf(op);
    return handle === null ? op : this.note(op.kind, handle, op.args.covers, position);
  }

  /**
   * As {@link perform}, without an operation. `covers` is how many operations, posted right after
   * it, the ghost stands for: those of the use, or those of the release.
   */
  note(
    kind: GhostKind,
    handle: StageHandle,
    _covers: number,
    position: Position | undefined,
  ): Op | null {
    if (kind === OpKind.own) return this.#own(handle, position);
    if (this.live.has(handle.id)) {
      return kind === OpKind.disown ? this.#disown(handle, position) : null;
    }
    if (kind === OpKind.disown) return this.#dead(kind, 'double-release', handle);
    const rule = handle.borrowed ? 'child-outlives-parent' : 'use-after-release';
    return this.#dead(kind, rule, handle);
  }

  /**
   * O07: what `from` owned is owned by `to` from now on, and `from` is dead. A scoped handle that
   * was moved out of its scope is not released as the scope ends.
   */
  move(from: StageHandle, to: StageHandle, position: Position | undefined): Op | null {
    const owned = this.live.get(from.id);
    if (owned === undefined) return this.#dead(OpKind.disown, 'double-release', from);
    this.live.delete(from.id);
    this.#noteRelease(from, position);
    this.#moved.add(from.id);
    this.live.set(to, owned.acquiredAt);
    return null;
  }

  /** As {@link note} of an acquire, for engines that perform: mostly there is no rival to find. */
  own(handle: StageHandle): Op | null {
    if (this.live.size > 0) return this.note(OpKind.own, handle, 0, undefined);
    this.live.set(handle, undefined);
    return null;
  }

  /** As {@link note} of a release, for engines that perform: mostly nothing else is owned. */
  disown(handle: StageHandle): Op | null {
    if (this.live.deleteOnly(handle)) return null;
    return this.note(OpKind.disown, handle, 0, undefined);
  }

  /** Whether a use of a handle is correct and needs no record. */
  trusts(handle: StageHandle): boolean {
    return this.live.has(handle.id);
  }

  /** Notes a step of the role on one side of a ring. */
  stepped(ring: number, side: Side): void {
    this.#steps[ring * 2 + side] = this.stepsOf(ring, side) + 1;
  }

  /** How often this instance of the role has stepped on one side of a ring. */
  stepsOf(ring: number, side: Side): number {
    return this.#steps[ring * 2 + side] ?? 0;
  }

  /** Whether a handle's stage was moved to another handle. */
  isMoved(handle: StageHandle): boolean {
    return this.#moved.has(handle.id);
  }

  /** Whether a handle or an operation is left. */
  get hasLeft(): boolean {
    return this.live.size > 0 || this.pending.size > 0;
  }

  /** Whether the role owns the handle, or has still to perform the operation, with an id. */
  has(id: number): boolean {
    return this.live.has(id) || this.pending.has(id);
  }

  /** Forgets a handle or an operation. */
  forget(id: number): void {
    if (!this.live.delete(id)) this.pending.delete(id);
  }

  /**
   * Takes the operations and handles with an id of at least `from`, and the handles that `entered`
   * a loop from outside, that are not `carried` on, each as a misuse.
   */
  leaks(from: number, carried: readonly number[], entered: readonly number[] = []): Leak[] {
    return [...this.unperformed(from), ...this.#unreleased(from, carried, entered)];
  }

  /** P13: takes the operations with an id of at least `from` that were never performed. */
  unperformed(from: number): Leak[] {
    const all = this.pending.take(from).slice(0, MAX_UNPERFORMED);
    return all.map(({ call, at: place }) => {
      return { op: misuseOp(OpKind.use, 'floating-op', { ...NO_STAGE, call }), place };
    });
  }

  #unreleased(from: number, carried: readonly number[], entered: readonly number[]): Leak[] {
    const { live } = this;
    const leaked: StageHandle[] = [];
    for (let at = 0; at < live.size; at++) {
      const handle = live.handles[at]!;
      const { id } = handle;
      if ((id >= from || entered.includes(id)) && !carried.includes(id)) leaked.push(handle);
    }
    return leaked.map((handle) => {
      const place = live.get(handle.id)!.acquiredAt;
      live.delete(handle.id);
      return { op: misuseOp(OpKind.disown, 'leaked-stage', handle), place };
    });
  }

  /** Only where positions are captured: a role that runs for days releases for days. */
  #noteRelease({ id }: StageHandle, position: Position | undefined): void {
    if (position !== undefined) this.#releasedAt.set(id, position);
  }

  #dead(kind: GhostKind, rule: OwnershipRule, handle: StageHandle): Op {
    const at = this.#releasedAt.get(handle.id);
    const why = this.#moved.has(handle.id) ? 'moved' : 'released';
    return misuseOp(kind, rule, handle, { at, why });
  }

  /** O03: a role holds a stage once on each side. */
  #own(handle: StageHandle, position: Position | undefined): Op | null {
    const { live } = this;
    let rival = -1;
    for (let at = 0; at < live.size; at++) {
      const { ring, side, index } = live.handles[at]!;
      if (ring !== handle.ring || side !== handle.side || index !== handle.index) continue;
      rival = at;
      break;
    }
    const acquiredAt = rival < 0 ? undefined : live.places[rival];
    live.set(handle, position);
    if (rival < 0) return null;
    return misuseOp(OpKind.own, 'double-acquire', handle, { at: acquiredAt });
  }

  /** O06, O08: children end before their parents, and scopes in the reverse of their order. */
  #disown(handle: StageHandle, position: Position | undefined): Op | null {
    const { live } = this;
    live.delete(handle.id);
    this.#noteRelease(handle, position);
    for (let at = 0; at < live.size; at++) {
      const other = live.handles[at]!;
      const isChild = other.parent === handle.id;
      if (!isChild && (handle.linear || other.linear || other.id < handle.id)) continue;
      const about = { at: live.places[at], ring: other.ring, stage: other.index };
      const rule = isChild ? 'child-outlives-parent' : 'release-order';
      return misuseOp(OpKind.disown, rule, handle, about);
    }
    return null;
  }
}

/** A ghost operation that carries a misuse, and so stays in the role's steps. */
export function misuseOp(
  kind: GhostKind,
  rule: OwnershipRule,
  of: Pick<StageHandle, 'ring' | 'side' | 'index'> & Partial<StageHandle & Misuse>,
  other: Partial<Misuse['other']> = {},
): Op {
  const { ring, side, index: stage, steps = false, linear = false } = of;
  // A handle has no call, and says so of what it does not have.
  const call = 'call' in of ? (of.call ?? '') : '';
  const misuse: Misuse = {
    rule,
    ring,
    side,
    stage,
    steps,
    linear,
    call,
    other: { ...NO_OTHER, ...other },
  };
  return makeOp<GhostKind>(kind, { handle: null, misuse, covers: 0 }) as GhostOp;
}

const NO_STAGE = { ring: -1, side: Side.produce, index: -1 };
const NO_OTHER: Misuse['other'] = { at: undefined, ring: -1, stage: -1, why: 'released' };

/** The misuse that a step carries, or `null`: only misused ghost operations stay in the steps. */
export function misuseOf(op: Op): Misuse | null {
  return isGhostOp(op) ? (op.args.misuse as Misuse | null) : null;
}

/** The handle that an operation is about, or `null`. */
export function handleOf(op: Op): StageHandle | null {
  return isGhostOp(op) ? (op.args.handle as StageHandle | null) : null;
}

/** How many operations after it a ghost operation stands for. */
export function coveredBy(op: Op): number {
  return isGhostOp(op) ? op.args.covers : 0;
}

export type { Owned };
