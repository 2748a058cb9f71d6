// Fences: fence, membar, and what each of their forms orders.
import type { Fence } from '../../isa/effect.ts';
import type { FenceKind, FenceStep } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { transparent, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { mapKey } from '../../launch/map-key.ts';
import { stepScope } from './order.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';

/** What one instruction orders; a fence of two proxies may be one of memory, too. */
type Parts = readonly Omit<FenceStep, 'at' | 'op' | 'map'>[];

const at: Wide = { low: 0, high: 0 };

/** What of a fence of proxies is about one space of memory. */
function spaceOf({ space }: Fence): Pick<FenceStep, 'space'> {
  return space === null ? {} : { space };
}

/** `fence.proxy.…`: what is written through one proxy becomes visible through another one. */
function proxyParts(effect: Fence, proxy: NonNullable<Fence['proxy']>): Parts {
  const { order } = effect;
  const isAcquire = order === 'acquire';
  switch (proxy) {
    case 'async':
      return [{ fence: 'proxy.async', ...spaceOf(effect) }];
    case 'async::generic': {
      // One direction, between threads: it is a fence of memory of shared memory as well.
      const both = { fence: 'proxy.async', space: 'shared' } as const;
      const scope = stepScope(effect.scope ?? 'cluster');
      return isAcquire ? [{ fence: 'acquire', scope }, both] : [both, { fence: 'release', scope }];
    }
    case 'tensormap::generic': {
      const fence = isAcquire ? 'proxy.tensormap.acquire' : 'proxy.tensormap.release';
      return [{ fence, scope: stepScope(effect.scope ?? 'gpu') }];
    }
    // An alias is another virtual address of the same memory, and addresses here are of one kind.
    case 'alias':
      return [];
  }
}

/** What a fence orders, in the order in which it does. */
export function fenceParts(effect: Fence): Parts {
  const { proxy, restriction, order, scope } = effect;
  if (proxy !== null) return proxyParts(effect, proxy);
  if (restriction === 'mbarrier init') return [{ fence: 'mbarrier.init', scope: 'cluster' }];
  return [{ fence: order ?? 'acq_rel', scope: stepScope(scope ?? 'cta') }];
}

/** `fence`, `fence.proxy` and `membar`. */
export const fence: BuilderOf<Fence> = (instruction, effect, slots) => {
  const found = fenceParts(effect);
  const [operand] = instruction.operands;
  const map = operand?.kind === 'address' ? address(operand, slots) : null;
  return transparent((warp, mask) => {
    const { look } = warp.ahead;
    if (look !== null) look.isFenced = true;
    // One that may not be executed orders nothing that is known.
    const { doubt, isUncertain, isLast } = warp.mode;
    if (isUncertain && !isLast) {
      if (doubt !== null) warp.machine.doubt(instruction.index, doubt.causes);
      return Status.done;
    }
    let named = {};
    if (map !== null) {
      if (!map(warp, firstLane(mask), at))
        return warp.machine.undecided(instruction.index, 'which tensor map it is for is unknown');
      warp.machine.tensorMaps.found(at.low, at.high);
      named = { map: mapKey(true, at.low, at.high) };
    }
    for (const part of found)
      warp.record({ op: 'fence', at: instruction.index, ...part, ...named }, mask);
    return Status.done;
  });
};

/** A fence that ends a look ahead: those of the tensor core. */
export function tensorFence(kind: FenceKind, { index }: Instruction): Action {
  return visible((warp, mask) => {
    warp.record({ op: 'fence', at: index, fence: kind }, mask);
    return Status.done;
  });
}
