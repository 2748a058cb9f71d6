// What warps that wait forever would do behind their waits: it explains a hang, and proves nothing.
import type { StepsBehind } from '../../steps/run.ts';
import type { Step, StepName } from '../../steps/step.ts';
import { divide, force, runFibers } from '../warp/fibers.ts';
import type { Warp } from '../warp/warp.ts';
import { Undecided, Unsupported } from './machine.ts';
import type { Machine } from './machine.ts';

/** The most instructions of all warps behind waits that never pass (bound `ahead`). */
const MAX_AHEAD = 50_000;

/** Instructions that a warp executes before it is looked at. */
const TURN = 4096;

/**
 * Lets warps that wait go on, one wait after the other, as if it passed. A warp that passed one
 * knows nothing of shared memory until it meets others, so that nothing that others would have to
 * write decides where it goes.
 */
export function goAhead(machine: Machine, warps: readonly Warp[]): ReadonlyMap<Warp, StepsBehind> {
  const passed = new Map(warps.map((warp) => [warp, warp.steps.length]));
  machine.decisions.isClosed = true;
  const open = new Set(warps.filter((warp) => !hasEnded(warp)));
  const lost = new Set<Warp>();
  const most = executedBy(warps) + MAX_AHEAD;
  const isOver = (): boolean => executedBy(warps) >= most;
  while (open.size > 0 && !isOver()) {
    runAll(open, lost, isOver);
    const next = nextOf(open);
    if (next === null) break;
    machine.passing = next;
    move(next, open, lost);
    // Its wait is one that never passes: of a state, or of lanes for one another.
    if (machine.passing !== null) lose(next, open, lost);
    machine.passing = null;
  }
  for (const warp of open) lost.add(warp);
  return new Map(warps.map((warp) => [warp, behindOf(warp, passed.get(warp)!, lost.has(warp))]));
}

function executedBy(warps: readonly Warp[]): number {
  return warps.reduce((sum, { progress }) => sum + progress.executed, 0);
}

function hasEnded({ stack, apart: { fibers } }: Warp): boolean {
  return stack.depth === 0 && fibers.every((fiber) => fiber.stack.depth === 0);
}

/** A warp that waits for an mbarrier; where there is none, one that waits for threads. */
function nextOf(open: ReadonlySet<Warp>): Warp | null {
  const waits = [...open].flatMap((warp) => {
    return [warp, ...warp.apart.fibers].flatMap(({ wait }) => {
      return wait.on === null ? [] : [{ warp, op: wait.on.op }];
    });
  });
  return (waits.find(({ op }) => op === 'wait') ?? waits[0])?.warp ?? null;
}

/** How often lanes go apart between two moves. */
const MAX_APART = 8;

/** Runs all warps until none can go on. */
function runAll(open: Set<Warp>, lost: Set<Warp>, isOver: () => boolean): void {
  let apart = 0;
  for (let isMoving = true; isMoving && !isOver();) {
    isMoving = false;
    for (const warp of open) isMoving = move(warp, open, lost) || isMoving;
    if (isMoving) apart = 0;
    if (isMoving || apart++ >= MAX_APART) continue;
    for (const warp of open) isMoving = goApart(warp, open, lost) || isMoving;
  }
}

/** Runs a warp until it waits; whether it has moved. */
function move(warp: Warp, open: Set<Warp>, lost: Set<Warp>): boolean {
  const { steps } = warp;
  const { executed } = warp.progress;
  const before = steps.length;
  try {
    const stop = runFibers(warp, TURN);
    if (stop === 'ended') open.delete(warp);
    // Each of several lists of lanes executes again what blocks it.
    const areMany = warp.progress.executed > executed + 1 && warp.apart.fibers.length === 0;
    return stop !== 'blocked' || areMany || steps.length > before;
  } catch (error) {
    return end(error, warp, open, lost);
  }
}

function goApart(warp: Warp, open: Set<Warp>, lost: Set<Warp>): boolean {
  try {
    return divide(warp) || force(warp);
  } catch (error) {
    return end(error, warp, open, lost);
  }
}

/** What a warp does is not known where unknown data decides it. */
function end(error: unknown, warp: Warp, open: Set<Warp>, lost: Set<Warp>): boolean {
  if (!(error instanceof Unsupported) && !(error instanceof Undecided)) throw error;
  lose(warp, open, lost);
  return false;
}

function lose(warp: Warp, open: Set<Warp>, lost: Set<Warp>): void {
  open.delete(warp);
  lost.add(warp);
}

function behindOf({ steps }: Warp, passed: number, isLost: boolean): StepsBehind {
  const behind = steps.slice(passed);
  const end = behind.findIndex(({ op }) => AHEAD[op] === 'ends');
  const known = end < 0 ? behind : behind.slice(0, end);
  const ofBarriers = known.filter(({ op }) => AHEAD[op] === 'kept').map(withoutMemory);
  return { steps: ofBarriers, isOpen: isLost || end >= 0 };
}

/**
 * Which steps say what barriers get, and which do not: without those a schedule up to the waits
 * stays the same. What has an effect that other warps would see ends what is known.
 */
const AHEAD: Readonly<Record<StepName, 'kept' | 'left out' | 'ends'>> = {
  init: 'kept',
  invalidate: 'kept',
  arrive: 'kept',
  expect: 'kept',
  complete: 'kept',
  wait: 'kept',
  copy: 'kept',
  commit: 'kept',
  asyncArrive: 'kept',
  named: 'kept',
  clusterArrive: 'kept',
  clusterWait: 'kept',
  join: 'kept',
  use: 'left out',
  prefetch: 'left out',
  commitGroup: 'left out',
  waitGroup: 'left out',
  access: 'left out',
  map: 'left out',
  fence: 'left out',
  allocate: 'left out',
  free: 'left out',
  relinquish: 'left out',
  tensorMisuse: 'left out',
  gridWait: 'left out',
  registers: 'left out',
  lanes: 'ends',
  signal: 'ends',
  poll: 'ends',
  last: 'ends',
};

/** A copy with no more than where it completes bytes. */
function withoutMemory(step: Step): Step {
  if (step.op !== 'copy') return step;
  const writes = step.writes.map((_, at) => step.writes[at - (at % 2)]!);
  return { ...step, reads: [], writes, map: null };
}
