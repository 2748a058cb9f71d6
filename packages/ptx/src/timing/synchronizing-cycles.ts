// What synchronizing instructions cost by themselves, where nothing has to be waited for.
import type { Barrier, Effect, Fence, Group, Scope } from '../isa/effect.ts';

/** Cycles of a fence of memory, by its scope. */
const MEMORY: Readonly<Record<Scope, number>> = { cta: 9, cluster: 648, gpu: 648, sys: 1384 };
/** Cycles of a fence of asynchronous copies: of shared memory alone, and of all. */
const SHARED_PROXY = 19;
const PROXY = 523;

/**
 * Cycles of an instruction: what `bench/ptx/redundancy/costs.cu` measured on an H100 for 128
 * threads that all execute it at once; `null` where no figure was measured.
 */
export function synchronizingCyclesOf(effect: Effect): number | null {
  if (effect.kind === 'barrier') return barrierCycles(effect);
  if (effect.kind === 'group') return waitCycles(effect);
  if (effect.kind === 'fence') return fenceCycles(effect);
  if (effect.kind === 'lanes') return effect.op === 'join' ? 1 : null;
  return effect.kind === 'wgmma' && effect.op === 'fence' ? 9 : null;
}

/** The second half of a barrier of a cluster has the cycles of both. */
function barrierCycles({ of, op }: Barrier): number | null {
  if (of === 'cluster') return op === 'arrive' ? 0 : 730;
  return op === 'reduce' ? null : 20;
}

function waitCycles({ op, unit, isReadOnly }: Group): number | null {
  if (op === 'commit') return null;
  if (unit === 'bulk') return isReadOnly ? 4 : 14;
  return unit === 'wgmma' ? 2 : 4;
}

function fenceCycles({ proxy, order, scope, restriction, space }: Fence): number | null {
  if (restriction === 'mbarrier init') return 1;
  if (proxy === 'async') return space === 'shared' ? SHARED_PROXY : PROXY;
  if (proxy === 'async::generic') return PROXY;
  return proxy !== null || order === null || scope === null ? null : MEMORY[scope];
}
