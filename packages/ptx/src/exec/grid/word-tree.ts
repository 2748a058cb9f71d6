// What a warp does with words of global memory, by what it finds in them: all runs as one tree.
import type { LoggedChange, LoggedOperation, LoggedPoll } from './word-log.ts';

/** A place of a warp: what it does next, and where it goes on by what it finds. */
export interface WordNode {
  readonly parent: WordNode | null;
  /** What was found at the parent. */
  readonly found: number;
  /** What the warp does; `null`: nothing more. */
  next: LoggedOperation | null;
  readonly children: Map<number, WordNode>;
}

/** Runs that do different things after the same finds. */
export class UnlikeRuns extends Error {}

/** What a warp goes on with; the same for all that it does not use. */
function findOf(operation: LoggedOperation): number {
  return operation.kind === 'poll' ? operation.value : (operation.answer ?? 0);
}

/** The tree of one warp, from what it did in each run. */
export function treeOf(runs: readonly (readonly LoggedOperation[])[]): WordNode {
  const root = node(null, 0);
  const seen = new Set<WordNode>();
  for (const run of runs) {
    let at = root;
    for (const operation of run) {
      if (at.next === null && seen.has(at)) throw new UnlikeRuns();
      at.next = at.next === null ? operation : merged(at.next, operation);
      seen.add(at);
      const found = findOf(operation);
      let child = at.children.get(found);
      if (child === undefined) at.children.set(found, (child = node(at, found)));
      at = child;
    }
    if (at.next !== null) throw new UnlikeRuns();
    seen.add(at);
  }
  return root;
}

function node(parent: WordNode | null, found: number): WordNode {
  return { parent, found, next: null, children: new Map() };
}

/** An operation as two runs show it. */
function merged(one: LoggedOperation, other: LoggedOperation): LoggedOperation {
  if (one.address !== other.address) throw new UnlikeRuns();
  if (one.kind === 'poll' && other.kind === 'poll') return mergedPoll(one, other);
  if (one.kind === 'change' && other.kind === 'change' && isSame(one, other)) return one;
  throw new UnlikeRuns();
}

function mergedPoll(one: LoggedPoll, other: LoggedPoll): LoggedPoll {
  if (one.key !== other.key) throw new UnlikeRuns();
  for (const [value, isPassing] of other.passes)
    if ((one.passes.get(value) ?? isPassing) !== isPassing) throw new UnlikeRuns();
  return { ...one, passes: new Map([...one.passes, ...other.passes]) };
}

function isSame(one: LoggedChange, other: LoggedChange): boolean {
  const isUsed = one.answer !== null;
  return (
    one.atomic === other.atomic &&
    isUsed === (other.answer !== null) &&
    one.operands?.join() === other.operands?.join()
  );
}
