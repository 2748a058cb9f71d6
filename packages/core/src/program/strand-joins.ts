// Which operations all strands of a role make together, and how they meet for them (W02).
import { NAMED_BARRIERS } from '../machine/index.ts';
import { makeOp, OpKind, type Op } from '../op/index.ts';
import type { Role } from './role.ts';

/**
 * By kind: 1 for an operation that a role of several strands makes once: all of them have come, and
 * one performs it. Other operations are made by each strand.
 */
export const JOINED_BY_ALL: Uint8Array = new Uint8Array(Object.keys(OpKind).length);
for (const kind of [
  OpKind.init,
  OpKind.invalidate,
  OpKind.arrive,
  OpKind.arriveDrop,
  OpKind.expectTx,
  OpKind.completeTx,
  OpKind.asyncCopy,
  OpKind.store,
  OpKind.free,
  OpKind.relinquish,
  OpKind.spawn,
  OpKind.exit,
  OpKind.launchDependents,
]) {
  JOINED_BY_ALL[kind] = 1;
}

/** W02: strands of a role meet at a named barrier that no program can name. */
export function joinStrands(role: Role, threads = allThreads(role)): Op {
  const named = NAMED_BARRIERS + (role.part?.written ?? 0);
  return makeOp(OpKind.syncNamed, { named, threads, lanes: role.lanes });
}

function allThreads({ part, lanes }: Role): number {
  return part === null ? lanes : part.strands * part.threadsEach;
}
