// Which strands of a role make an operation, and how many threads they are (W01).
import { currentPosition, InputError } from '../base/index.ts';
import { runningRole, type RoleContext } from './context.ts';
import { differBySharing, namedStrands, sharersOf, takesPart } from './strands.ts';
import type { By, StrandClass } from './strands.ts';

/** Whether the strands that the running role stands for make an operation. */
export function isOf(by: By | undefined, context: RoleContext): boolean {
  const { part } = context.role;
  if (by === undefined || by === 'all') return true;
  if (part === null) {
    namedStrands(by, { ...ONE, family: context.role.name });
    return true;
  }
  return part.members.length === 0 || takesPart(context.kernel!, part, by);
}

/** How many threads of the running role make an operation. */
export function threadsOf(by: By | undefined, { role }: RoleContext): number {
  const { part, lanes } = role;
  if (by === undefined || by === 'all' || part === null) return lanes;
  // A role that is not taken apart stands for all of its strands.
  if (part.members.length === 0) return namedStrands(by, part)!.length * part.threadsEach;
  return lanes;
}

/** Whether the role stands for some of its strands, others being roles of their own. */
export function isApart({ role }: RoleContext): boolean {
  return role.part !== null && role.part.classes > 1;
}

/**
 * W03: whether each strand of the running role has a part of a buffer: where they are roles of
 * their own.
 */
export function sharesBuffer(buffer: number, context: RoleContext): boolean {
  if (!isApart(context)) return false;
  const { family } = context.role.part!;
  if (!sharersOf(context.kernel!, buffer).has(family)) {
    differBySharing(context.kernel!, buffer, family);
  }
  return true;
}

/** Throws where the strands of a role would have to agree on an answer (W04). */
export function requireOneAnswer(call: string): void {
  const context = runningRole();
  if (context === null || !isApart(context)) return;
  throw new InputError(
    `${call} is answered once, and the strands of role ${context.role.part!.family} do different ` +
      'things: let a role of its own perform it',
    currentPosition(),
  );
}

/** The one strand of a role without strands. */
const ONE: StrandClass = {
  family: '',
  written: 0,
  strands: 1,
  threadsEach: 1,
  members: [0],
  index: 0,
  classes: 1,
};
