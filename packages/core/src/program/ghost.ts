// Ghost operations as calls: handles report changes of ownership without posting operations.
import type { Position } from '../base/index.ts';
import { OpKind, type GhostKind, type Op } from '../op/index.ts';
import { currentRole, keepPosted, type RoleContext } from './context.ts';
import type { StageHandle } from './handle.ts';
import { misuseOp } from './ownership.ts';

/**
 * Reports that a handle is owned, used or released, with the `covers` operations that are posted
 * next. A misuse becomes a step of the role (O01).
 */
export function ghost(kind: GhostKind, handle: StageHandle, covers = 0, at?: Position): void {
  const context = currentRole('a handle');
  const { ownership } = context;
  // The most frequent call.
  if (kind === OpKind.use && handle.role === context.index && ownership.trusts(handle)) return;
  const place = context.capture ? (at ?? context.position()) : undefined;
  // Roles share nothing: a handle of another role came through a variable of the module.
  const isForeign = handle.role >= 0 && handle.role !== context.index;
  const op = isForeign
    ? misuseOp(kind, 'use-after-release', handle, { at: handle.acquiredAt, why: 'foreign' })
    : ownership.note(kind, handle, covers, place);
  keep(context, op, place);
}

/** Moves ownership from one handle to another, exactly once (O07). */
export function moveHandle(from: StageHandle, to: StageHandle): void {
  const context = currentRole('moving a handle');
  const place = context.position();
  keep(context, context.ownership.move(from, to, place), place);
}

/** Posts a misuse without a handle: it is reported when the role reaches it. */
export function postMisuse(...misuse: Parameters<typeof misuseOp>): void {
  const context = currentRole('an operation');
  keep(context, misuseOp(...misuse), context.position());
}

function keep(context: RoleContext, op: Op | null, place: Position | undefined): void {
  if (op !== null) keepPosted(context, op, place);
}
