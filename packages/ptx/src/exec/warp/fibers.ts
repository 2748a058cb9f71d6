// Lanes of a warp that run apart: those that wait in one branch do not hold up those of another.
import type { Step } from '../../steps/step.ts';
import { isAligned } from './joins.ts';
import type { SimtStack } from './stack.ts';
import type { Stop, Warp } from './warp.ts';
import { reportPart } from './whole-warp.ts';

/** Lanes that run apart from the others of their warp, while these have their turn. */
export interface Fiber {
  readonly stack: SimtStack;
  readonly pending: unknown;
  readonly blockedOn: Step | null;
  /** The lanes that the instruction which blocks them is executed by. */
  readonly waiting: number;
  /** The lanes that the `bar.warp.sync` at which they wait names; 0: they are at none. */
  members: number;
}

/** Executes a warp: its fibers in turns, each until it ends or has to wait. */
export function runFibers(warp: Warp, budget: number): Stop {
  const { executed, steps } = warp;
  const before = steps.length;
  const stop = warp.run(budget);
  if (warp.fibers.length === 0 || stop === 'budget') return stop;
  if (stop === 'ended') {
    resume(warp, warp.fibers.shift()!);
    return 'budget';
  }
  if (meet(warp)) return 'budget';
  const hasMoved = warp.executed - executed > 1 || steps.length > before;
  warp.fibers.push(fiberOf(warp, warp.stack));
  resume(warp, warp.fibers.shift()!);
  if (hasMoved) return 'budget';
  for (let left = warp.fibers.length; left > 0; left--) {
    const [start, count] = [warp.executed, steps.length];
    if (warp.run(budget) !== 'blocked' || warp.executed - start > 1 || steps.length > count)
      return 'budget';
    if (meet(warp)) return 'budget';
    warp.fibers.push(fiberOf(warp, warp.stack));
    resume(warp, warp.fibers.shift()!);
  }
  return 'blocked';
}

/**
 * Lets the lanes of a blocked warp that wait for no one run apart from those that do: a branch need
 * not end before the other one begins, nor before what comes after both.
 *
 * @returns Whether there are such lanes.
 */
export function divide(warp: Warp): boolean {
  // The other lanes would do no more than they do in rounds, which nothing comes of.
  if (!warp.isDivisible || warp.isAround) return false;
  for (let left = warp.fibers.length; left >= 0; left--) {
    const { stack } = warp;
    const waiting = stack.depth === 0 ? 0 : stack.mask & warp.waiting;
    if (waiting !== 0 && (stack.live & ~waiting) !== 0) {
      warp.fibers.push(fiberOf(warp, stack.only(waiting)));
      const others = stack.only(~waiting);
      resume(warp, { stack: others, pending: undefined, blockedOn: null, waiting: 0, members: 0 });
      return true;
    }
    warp.fibers.push(fiberOf(warp, stack));
    resume(warp, warp.fibers.shift()!);
  }
  return false;
}

/**
 * Lets some lanes of a warp execute an instruction of the whole warp without the others, which do
 * not come to it.
 *
 * @returns Whether there are such lanes.
 */
export function force(warp: Warp): boolean {
  if (warp.parted !== null) return false;
  const held = [fiberOf(warp, warp.stack), ...warp.fibers].filter(({ stack }) => stack.depth > 0);
  const areHeld = held.every(({ stack, pending }) => {
    return pending === undefined && warp.program.ofWarp[stack.counter] === 1;
  });
  if (held.length === 0 || !areHeld || warp.stack.mask === warp.live) return false;
  if (warp.stack.depth === 0) resume(warp, warp.fibers.shift()!);
  const counters = held.map(({ stack }) => stack.counter);
  const isBarrier = warp.instruction.effect.kind === 'barrier';
  const areApart = new Set(counters).size === counters.length;
  if (!isBarrier && areApart) reportHeld(warp, held);
  if (!isBarrier || !areApart)
    return warp.machine.undecided(warp.stack.counter, 'lanes of a warp come to it apart');
  warp.isForced = true;
  return true;
}

/** Reports lanes at an `.aligned` instruction that the others never come to. */
function reportHeld(warp: Warp, fibers: readonly Fiber[]): void {
  const { instructions } = warp.program.code;
  const part = fibers.find(({ stack, pending }) => {
    const isAlone = pending === undefined && stack.mask !== warp.live;
    return isAlone && isAligned(instructions[stack.counter]!);
  });
  if (part === undefined) return;
  reportPart(warp, instructions[part.stack.counter]!, part.stack.mask);
}

/** Whether lanes have to wait for others of their warp at an instruction that needs all. */
export function isIncomplete(warp: Warp): boolean {
  const { stack, parted, pending, isForced } = warp;
  if (parted !== null || pending !== undefined || stack.mask === warp.live) return false;
  warp.waiting = stack.mask;
  warp.isForced = false;
  return !isForced;
}

/** Lets the lanes of a blocked warp go on with others that are at the same instruction. */
function meet(warp: Warp): boolean {
  if (warp.pending !== undefined) return false;
  const index = warp.fibers.findIndex(({ stack, pending }) => {
    return pending === undefined && stack.isBeside(warp.stack);
  });
  if (index < 0) return false;
  const [other] = warp.fibers.splice(index, 1);
  warp.stack = warp.stack.with(other!.stack);
  return true;
}

/**
 * Lets lanes that wait at a `bar.warp.sync` go on, apart from one another, as the last of those for
 * which they wait come to another one with the same mask. Whether they do.
 */
export function meetElsewhere(warp: Warp, mask: number, missing: number): boolean {
  if (warp.lookAhead !== null || warp.shadow.isRunning || !isBarrier(warp, warp.stack))
    return false;
  const members = mask | missing;
  if (warp.parted !== null && !unpart(warp, members)) return false;
  const others = warp.fibers.filter((fiber) => fiber.members === members);
  if (others.reduce((lanes, { waiting }) => lanes | waiting, mask) !== members) {
    warp.members = members;
    return false;
  }
  for (const other of others) {
    other.stack.counter++;
    other.members = 0;
  }
  warp.join(members);
  return true;
}

function isBarrier({ program }: Warp, { counter }: SimtStack): boolean {
  const { effect } = program.code.instructions[counter]!;
  return effect.kind === 'lanes' && effect.op === 'join';
}

/** Lanes that wait at a `bar.warp.sync` with a mask run apart from now on; whether some do. */
function unpart(warp: Warp, members: number): boolean {
  const { waiting, mask, missing, isOfMasks } = warp.parted!;
  if (isOfMasks || (mask | missing) !== members || !isBarrier(warp, waiting)) return false;
  const { parted } = warp;
  warp.parted = null;
  if (warp.isDivisible) {
    warp.fibers.push({
      stack: waiting,
      pending: undefined,
      blockedOn: null,
      waiting: mask,
      members,
    });
    return true;
  }
  warp.parted = parted;
  return false;
}

/** The step at which a warp that cannot go on waits; `null` if all its lanes have ended. */
export function stuckOf(warp: Warp): Step | null {
  const fibers = [fiberOf(warp, warp.stack), ...warp.fibers];
  const open = fibers.filter(({ stack }) => stack.depth > 0);
  const waiting = open.find(({ blockedOn }) => blockedOn !== null);
  if (open.length > 0 && waiting === undefined) {
    reportHeld(warp, open);
    warp.machine.noteUndecided(
      open[0]!.stack.counter,
      'lanes of a warp wait for one another at different instructions',
    );
  }
  return waiting?.blockedOn ?? null;
}

function fiberOf({ pending, blockedOn, waiting, members }: Warp, stack: SimtStack): Fiber {
  return { stack, pending, blockedOn, waiting, members };
}

function resume(warp: Warp, { stack, pending, blockedOn, waiting, members }: Fiber): void {
  warp.members = members;
  warp.waiting = waiting;
  warp.stack = stack;
  warp.pending = pending;
  warp.blockedOn = blockedOn;
}
