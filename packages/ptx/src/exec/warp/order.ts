// Semantics and scopes in the modifiers of an opcode: `.relaxed`, `.release`, `.cta`, `.cluster`.
import type { Scope } from '@poundlock/core/internal/op';
import type { Ordered } from '../../steps/step.ts';

const SCOPES: Readonly<Record<string, Scope>> = {
  cta: 'cta',
  cluster: 'cluster',
  gpu: 'gpu',
  // No thread of another device takes part in a launch.
  sys: 'gpu',
  gl: 'gpu',
};

/** The scope that an opcode names; `undefined` where it names none. */
export function scopeOf(parts: readonly string[]): Scope | undefined {
  const name = parts.find((part) => part in SCOPES);
  return name === undefined ? undefined : SCOPES[name];
}

/** The order of an operation on an mbarrier: release or acquire at the scope of the CTA. */
export function barrierOrder(parts: readonly string[]): Ordered {
  const scope = scopeOf(parts) ?? 'cta';
  return parts.includes('relaxed') ? { sem: 'relaxed', scope } : { scope };
}

/** The order of an atomic operation: relaxed unless it says more, for all threads of the GPU. */
export function atomicOrder(parts: readonly string[]): Ordered {
  return orderWith(parts, ['acquire', 'release', 'acq_rel']);
}

/** The order of what an operation lets others know. */
export function releaseOrder(parts: readonly string[]): Ordered {
  return orderWith(parts, ['release', 'acq_rel']);
}

/** The order of what an operation learns of others. */
export function acquireOrder(parts: readonly string[]): Ordered {
  return orderWith(parts, ['acquire', 'acq_rel']);
}

function orderWith(parts: readonly string[], strong: readonly string[]): Ordered {
  const scope = scopeOf(parts) ?? 'gpu';
  return parts.some((part) => strong.includes(part)) ? { scope } : { sem: 'relaxed', scope };
}
