// Practice H17: a thread initializes an mbarrier that nothing has used since the same thread
// initialized it before. The ISA leaves that undefined. The last one counts: what uses the barrier
// before that one finds none.
import type { Ranges, Step } from '../steps/step.ts';
import { bytesOf } from './barrier-bytes.ts';

/** An initialization that nothing has used yet. */
interface Pending {
  readonly index: number;
  readonly lanes: number | undefined;
}

/** Of the steps of one warp those that initialize a barrier in vain. */
export function renewedInits(steps: readonly Step[]): ReadonlyMap<number, number> {
  const pending = new Map<number, Pending>();
  /** By the step in vain: the one that makes it so. */
  const renewed = new Map<number, number>();
  for (const [index, step] of steps.entries()) {
    if (step.op !== 'init') {
      if (pending.size > 0) forgetUsed(pending, step);
      continue;
    }
    const before = pending.get(step.barrier);
    if (before !== undefined && before.lanes === step.lanes) renewed.set(before.index, index);
    pending.set(step.barrier, { index, lanes: step.lanes });
  }
  return renewed;
}

/** Forgets the barriers that a step uses, or whose bytes it touches. */
function forgetUsed(pending: Map<number, Pending>, step: Step): void {
  if (step.op === 'last') return pending.clear();
  if ('barrier' in step && typeof step.barrier === 'number') pending.delete(step.barrier);
  if ('barriers' in step) for (const each of step.barriers) pending.delete(each);
  if ('signals' in step) for (const { barrier } of step.signals) pending.delete(barrier);
  const touched = [
    ...('reads' in step ? step.reads : []),
    ...('writes' in step ? step.writes : []),
  ];
  if (touched.length === 0) return;
  for (const barrier of pending.keys())
    if (overlaps(touched, bytesOf(barrier))) pending.delete(barrier);
}

function overlaps(ranges: Ranges, [from, to]: Ranges): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if (ranges[at]! < to! && from! < ranges[at + 1]!) return true;
  return false;
}
