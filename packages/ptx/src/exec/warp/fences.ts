// Fences: fence, membar, and what each of their forms orders.
import type { FenceKind, FenceStep } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { transparent, visible } from './builder.ts';
import type { Builder, Family } from './builder.ts';
import { address, firstLane } from './lane.ts';
import { mapKey } from '../../launch/map-key.ts';
import { scopeOf } from './order.ts';
import { Status } from './program.ts';
import { OperandError } from './slots.ts';

/** What one instruction orders; a fence of two proxies may be one of memory, too. */
type Parts = readonly Omit<FenceStep, 'at' | 'op' | 'map'>[];

const at: Wide = { low: 0, high: 0 };

/** Fences of memory by their semantics; `fence.cta` without any is `fence.acq_rel.cta`. */
const MEMORY = ['acq_rel', 'release', 'acquire', 'sc'] as const satisfies readonly FenceKind[];

/** Bits of a proxy fence: `fence.proxy.async.shared::cta` is about shared memory alone. */
function spaceOf(parts: readonly string[]): Pick<FenceStep, 'space'> {
  if (parts.some((part) => part.startsWith('shared'))) return { space: 'shared' };
  return parts.includes('global') ? { space: 'global' } : {};
}

/** `fence.proxy.…`: what is written through one proxy becomes visible through another one. */
function proxyFence(parts: readonly string[]): Parts {
  const proxy = parts[2] ?? '';
  if (proxy === 'async') return [{ fence: 'proxy.async', ...spaceOf(parts) }];
  // One direction, between threads: it is a fence of memory of shared memory as well.
  if (proxy === 'async::generic') {
    const both = { fence: 'proxy.async', space: 'shared' } as const;
    const scope = scopeOf(parts.slice(3)) ?? 'cluster';
    return parts.includes('acquire')
      ? [{ fence: 'acquire', scope }, both]
      : [both, { fence: 'release', scope }];
  }
  if (proxy === 'tensormap::generic')
    return [
      {
        fence: parts.includes('acquire') ? 'proxy.tensormap.acquire' : 'proxy.tensormap.release',
        scope: scopeOf(parts.slice(3)) ?? 'gpu',
      },
    ];
  // An alias is another virtual address of the same memory, and addresses here are of one kind.
  if (proxy === 'alias') return [];
  throw new OperandError('a proxy fence that is not known');
}

/** What a fence orders, in the order in which it does. */
export function fenceParts(parts: readonly string[]): Parts {
  if (parts.includes('proxy')) return proxyFence(parts);
  // `fence.op_restrict.release.cluster` is the older name of `fence.mbarrier_init`.
  if (parts.includes('mbarrier_init') || parts.includes('op_restrict'))
    return [{ fence: 'mbarrier.init', scope: 'cluster' }];
  const scope = scopeOf(parts) ?? 'cta';
  if (parts[0] === 'membar') return [{ fence: 'sc', scope }];
  const fence = MEMORY.find((kind) => parts.includes(kind)) ?? 'acq_rel';
  return [{ fence, scope }];
}

const fence: Builder = (instruction, slots) => {
  const found = fenceParts(instruction.parts);
  const [operand] = instruction.operands;
  const map = operand?.kind === 'address' ? address(operand, slots) : null;
  return transparent((warp, mask) => {
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
export function tensorFence(kind: FenceKind): Builder {
  return ({ index }: Instruction) =>
    visible((warp, mask) => {
      warp.record({ op: 'fence', at: index, fence: kind }, mask);
      return Status.done;
    });
}

/** Fences by mnemonic. */
export const FENCES: Family = { fence, membar: fence };
