// The role that is being run now: where its posted operations go and what it owns.
import { Alarm, currentPosition, InputError, type Position } from '../base/index.ts';
import { isGhostOp, type Op, type Unit } from '../op/index.ts';
import type { Declarations } from './declarations.ts';
import type { Operation } from './operation.ts';
import { Ownership } from './ownership.ts';
import type { Executor } from './executor.ts';
import type { Kernel } from './kernel.ts';
import type { Role } from './role.ts';
import { JOINED_BY_ALL, joinStrands } from './strand-joins.ts';

/** The most operations a role may post between two yields. */
const MAX_POSTED = 100_000;

const NEVER = new Alarm();

interface GroupWait {
  readonly unit: Unit;
  readonly inFlight: number;
  readonly wait: Operation<void>;
}

/** One running instance of a role: its own kernel call, its posted operations, its handles. */
export class RoleContext {
  readonly role: Role;
  readonly index: number;
  readonly declarations: Declarations;
  /** What it posted since it was resumed: the first `postedCount` entries. The list is reused. */
  readonly posted: Op[] = [];
  postedCount = 0;
  /** Where it posted and yielded, while positions are captured. */
  readonly places: (Position | undefined)[] = [];
  readonly ownership: Ownership;
  /** Waits for groups that it has made, so that a hot loop makes none. */
  readonly groupWaits: GroupWait[] = [];
  /** Whether positions are captured: slow, and only done to explain a finding. */
  capture: boolean;
  /** Finds where the role is declared. */
  readonly declaredAt: () => Position | undefined;
  /** Where an engine runs the role for real; `null` where operations are steps of an engine. */
  executor: Executor | null = null;
  /**
   * Whether an acquire may reuse the handle of an earlier one of the same stage, which was released
   * since. That is faster, but a stale reference to the old handle is valid again.
   */
  recyclesHandles = false;
  /** Rings when the check that runs the role must end. */
  alarm = NEVER;
  /**
   * Whether other roles come from the same call of the kernel, so that equal operations of theirs
   * may be one object.
   */
  sharesCall = false;
  /** The kernel, which strands that do different things are remembered of. */
  kernel: Kernel | null = null;
  /** The place of the operation that was yielded last. */
  yieldedAt: Position | undefined;
  /** The place of the loop it is in: that of a round which is a library's and not the user's. */
  loopAt: Position | undefined;

  constructor(
    role: Role,
    index: number,
    declarations: Declarations,
    capture: boolean,
    declaredAt: () => Position | undefined,
    ownership = new Ownership(),
  ) {
    this.ownership = ownership;
    this.declaredAt = declaredAt;
    this.role = role;
    this.index = index;
    this.declarations = declarations;
    this.capture = capture;
  }

  /** The user's line now, while positions are captured. */
  position(): Position | undefined {
    return this.capture ? (currentPosition() ?? this.loopAt) : undefined;
  }
}

let running: RoleContext | null = null;

/** Makes `context` the role that is being run, and returns the one before it. */
export function exchangeRunning(context: RoleContext | null): RoleContext | null {
  const outer = running;
  running = context;
  return outer;
}

/** Whether a role is being run. */
export function isRoleRunning(): boolean {
  return running !== null;
}

/** The role that is being run, or `null`. */
export function runningRole(): RoleContext | null {
  return running;
}

/** The role that is being run; `what` is the subject of the error when there is none. */
export function currentRole(what: string): RoleContext {
  if (running === null) {
    throw new InputError(`${what} must be called inside a role's body`, currentPosition());
  }
  return running;
}

/**
 * The role that is being run: its name, its CTA and its number of threads.
 *
 * @throws InputError outside a role's body; `what` is the subject of its message.
 *
 * @example
 * const { cta, lanes } = callingRole('a signal');
 * arrive(bar, { cta, count: lanes });
 * yield* wait(bar, 0);
 */
export function callingRole(what: string): Role {
  return currentRole(what).role;
}

/**
 * Posts a non-blocking operation: it happens before the role's next yielded operation, first in,
 * first out (P02). `at` overrides the place that a finding shows for it.
 */
export function post(op: Op, at?: Position): void {
  const context = currentRole('an operation');
  const { part } = context.role;
  if (part !== null && part.classes > 1 && JOINED_BY_ALL[op.kind] === 1) {
    postOwn(context, joinStrands(context.role), at);
    if (part.index > 0) return;
  }
  postOwn(context, op, at);
}

/** Posts an operation of the strands that the role stands for, and of no others. */
export function postOwn(context: RoleContext, op: Op, at?: Position): void {
  if (context.postedCount >= MAX_POSTED) {
    throw new InputError(
      `role ${context.role.name} posts more than ${MAX_POSTED} operations without a yield*`,
      currentPosition(),
    );
  }
  const ofHandle = isGhostOp(op);
  if (!ofHandle && context.executor !== null) {
    context.executor.perform(op);
    return;
  }
  if (!ofHandle && !context.capture) {
    context.posted[context.postedCount++] = op;
    return;
  }
  const position = context.capture ? (at ?? context.position()) : undefined;
  const step = ofHandle ? context.ownership.perform(op, position) : op;
  if (step !== null) keepPosted(context, step, position);
}

/** Keeps a misuse or a posted operation as a step of the role. */
export function keepPosted(context: RoleContext, op: Op, place: Position | undefined): void {
  if (context.executor !== null) {
    context.executor.perform(op);
    return;
  }
  context.posted[context.postedCount++] = op;
  if (context.capture) context.places.push(place);
}
