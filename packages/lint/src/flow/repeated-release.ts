// Closures that share variables: `save` and `abort` of one object close the same file, and each
// tests whether the other has closed it.
import { applyBody } from './invoke.ts';
import type { FlowRun } from './run.ts';
import type { FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

export type Closure = Extract<Value, { k: 'fn' }>;

/** The most releasing closures of one object that are compared in pairs. */
const MAX_CLOSURES = 6;

/** The name under which a closure is recorded as the one that released a handle. */
export function closureName({ fn }: Closure): string {
  return `closure:${fn.start}`;
}

/**
 * For each closure, the closures after which a call of it does not release their handles again.
 * Exceptions are left out: they end the usual order of calls.
 */
export function harmlessAfter(
  run: FlowRun,
  state: FlowState,
  closures: readonly Closure[],
): ReadonlyMap<Closure, ReadonlySet<string>> {
  const found = new Map(closures.map((each) => [each, new Set<string>()]));
  if (closures.length > MAX_CLOSURES) return found;
  for (const first of closures) {
    const after = called(run, state, first).filter((each) => hasReleased(state, each));
    if (after.length === 0) continue;
    for (const second of closures) {
      const isRepeated = after.some((each) => releasesAgain(run, each, second));
      if (!isRepeated) found.get(second)!.add(closureName(first));
    }
  }
  return found;
}

/** The states after a call that returns. */
function called(run: FlowRun, state: FlowState, { fn, self }: Closure): FlowState[] {
  const args = fn.parameters.map(() => UNKNOWN);
  const start = { ...state, cause: undefined, faults: [] };
  const [outs] = run.silently(() => run.catching(() => applyBody(run, fn, args, self, start, fn)));
  return outs.map((out) => out.state);
}

/** Whether a handle was released; one that nothing refers to any more is gone by then. */
function hasReleased(before: FlowState, after: FlowState): boolean {
  return [...before.instances].some(([id, { status }]) => {
    const now = after.instances.get(id);
    return status !== 'released' && (now === undefined || now.status === 'released');
  });
}

function releasesAgain(run: FlowRun, state: FlowState, closure: Closure): boolean {
  const before = run.onRepeatedRelease;
  let isRepeated = false;
  run.onRepeatedRelease = () => {
    isRepeated = true;
  };
  called(run, state, closure);
  run.onRepeatedRelease = before;
  return isRepeated;
}
