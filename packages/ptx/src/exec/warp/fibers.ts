// Lanes of a warp that run apart: those that wait in one branch do not hold up those of another.
import type { Step } from '../../steps/step.ts';
import { isAligned } from './joins.ts';
import type { SimtStack } from './stack.ts';
import { noWait } from './wait.ts';
import type { Wait } from './wait.ts';
import type { Stop, Warp } from './warp.ts';
import { reportPart } from './whole-warp.ts';

/** Lanes that run apart from the others of their warp, while these have their turn. */
export interface Fiber {
  readonly stack: SimtStack;
  readonly wait: Wait;
}

/** Executes a warp: its fibers in turns, each until it ends or has to wait. */
export function runFibers(warp: Warp, budget: number): Stop {
  const { steps } = warp;
  const { executed } = warp.progress;
  const before = steps.length;
  const stop = warp.run(budget);
  if (warp.apart.fibers.length === 0 || stop === 'budget') return stop;
  if (stop === 'ended') {
    resume(warp, warp.apart.fibers.shift()!);
    return 'budget';
  }
  if (meet(warp)) return 'budget';
  const hasMoved = warp.progress.executed - executed > 1 || steps.length > before;
  warp.apart.fibers.push(fiberOf(warp, warp.stack));
  resume(warp, warp.apart.fibers.shift()!);
  if (hasMoved) return 'budget';
  for (let left = warp.apart.fibers.length; left > 0; left--) {
    const [start, count] = [warp.progress.executed, steps.length];
    if (
      warp.run(budget) !== 'blocked' ||
      warp.progress.executed - start > 1 ||
      steps.length > count
    )
      return 'budget';
    if (meet(warp)) return 'budget';
    warp.apart.fibers.push(fiberOf(warp, warp.stack));
    resume(warp, warp.apart.fibers.shift()!);
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
  if (!warp.isDivisible || warp.turns.isAround) return false;
  for (let left = warp.apart.fibers.length; left >= 0; left--) {
    const { stack } = warp;
    const waiting = stack.depth === 0 ? 0 : stack.mask & warp.wait.lanes;
    if (waiting !== 0 && (stack.live & ~waiting) !== 0) {
      warp.apart.fibers.push(fiberOf(warp, stack.only(waiting)));
      const others = stack.only(~waiting);
      resume(warp, { stack: others, wait: noWait() });
      return true;
    }
    warp.apart.fibers.push(fiberOf(warp, stack));
    resume(warp, warp.apart.fibers.shift()!);
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
  if (warp.apart.parted !== null) return false;
  const held = [fiberOf(warp, warp.stack), ...warp.apart.fibers].filter(
    ({ stack }) => stack.depth > 0,
  );
  const areHeld = held.every(({ stack, wait }) => {
    return wait.pending === undefined && warp.program.ofWarp[stack.counter] === 1;
  });
  if (held.length === 0 || !areHeld || warp.stack.mask === warp.live) return false;
  if (warp.stack.depth === 0) resume(warp, warp.apart.fibers.shift()!);
  const counters = held.map(({ stack }) => stack.counter);
  const isBarrier = warp.instruction.effect.kind === 'barrier';
  const areApart = new Set(counters).size === counters.length;
  if (!isBarrier && areApart) reportHeld(warp, held);
  if (!isBarrier || !areApart)
    return warp.machine.undecided(warp.stack.counter, 'lanes of a warp come to it apart');
  warp.apart.force();
  return true;
}

/** Reports lanes at an `.aligned` instruction that the others never come to. */
function reportHeld(warp: Warp, fibers: readonly Fiber[]): void {
  const { instructions } = warp.program.code;
  const part = fibers.find(({ stack, wait }) => {
    const isAlone = wait.pending === undefined && stack.mask !== warp.live;
    return isAlone && isAligned(instructions[stack.counter]!);
  });
  if (part === undefined) return;
  reportPart(warp, instructions[part.stack.counter]!, part.stack.mask);
}

/** Whether lanes have to wait for others of their warp at an instruction that needs all. */
export function isIncomplete(warp: Warp): boolean {
  const { stack, apart, wait } = warp;
  if (apart.parted !== null || wait.pending !== undefined || stack.mask === warp.live) return false;
  wait.lanes = stack.mask;
  return !apart.takeForced();
}

/** Lets the lanes of a blocked warp go on with others that are at the same instruction. */
function meet(warp: Warp): boolean {
  if (warp.wait.pending !== undefined) return false;
  const index = warp.apart.fibers.findIndex(({ stack, wait }) => {
    return wait.pending === undefined && stack.isBeside(warp.stack);
  });
  if (index < 0) return false;
  const [other] = warp.apart.fibers.splice(index, 1);
  warp.stack = warp.stack.with(other!.stack);
  return true;
}

/**
 * Lets lanes that wait at a `bar.warp.sync` go on, apart from one another, as the last of those for
 * which they wait come to another one with the same mask. Whether they do.
 */
export function meetElsewhere(warp: Warp, mask: number, missing: number): boolean {
  if (warp.ahead.look !== null || warp.shadow.isRunning || !isBarrier(warp, warp.stack))
    return false;
  const members = mask | missing;
  if (warp.apart.parted !== null && !unpart(warp, members)) return false;
  const others = warp.apart.fibers.filter(({ wait }) => wait.members === members);
  if (others.reduce((lanes, { wait }) => lanes | wait.lanes, mask) !== members) {
    warp.wait.members = members;
    return false;
  }
  for (const other of others) {
    other.stack.counter++;
    other.wait.members = 0;
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
  const { waiting, mask, missing, isOfMasks } = warp.apart.parted!;
  if (isOfMasks || (mask | missing) !== members || !isBarrier(warp, waiting)) return false;
  const { parted } = warp.apart;
  warp.apart.parted = null;
  if (warp.isDivisible) {
    warp.apart.fibers.push({ stack: waiting, wait: { ...noWait(), lanes: mask, members } });
    return true;
  }
  warp.apart.parted = parted;
  return false;
}

/** The step at which a warp that cannot go on waits; `null` if all its lanes have ended. */
export function stuckOf(warp: Warp): Step | null {
  const fibers = [fiberOf(warp, warp.stack), ...warp.apart.fibers];
  const open = fibers.filter(({ stack }) => stack.depth > 0);
  const waiting = open.find(({ wait }) => wait.on !== null);
  if (open.length > 0 && waiting === undefined) {
    reportHeld(warp, open);
    warp.machine.noteUndecided(
      open[0]!.stack.counter,
      'lanes of a warp wait for one another at different instructions',
    );
  }
  return waiting?.wait.on ?? null;
}

function fiberOf({ wait }: Warp, stack: SimtStack): Fiber {
  return { stack, wait };
}

function resume(warp: Warp, { stack, wait }: Fiber): void {
  warp.stack = stack;
  warp.wait = wait;
}
