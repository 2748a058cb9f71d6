// What a run uses of shared memory: bytes of its dynamic part, and rings of mbarriers.
import type { SharedUse } from '@poundlock/core/internal/program';
import type { ReferenceRun } from '../steps/run.ts';
import { isGlobal, offsetOf, rankOf, TENSOR_MEMORY } from '../steps/step.ts';
import type { Step } from '../steps/step.ts';

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;
/** Rings of more stages are tables. */
const MAX_STAGES = 64;

/** The ends of the ranges that a step touches. */
function endsOf(step: Step): readonly number[] {
  const reads = 'reads' in step ? step.reads : [];
  const writes = 'writes' in step ? step.writes : [];
  const barrier = 'barrier' in step ? [step.barrier + BARRIER_BYTES] : [];
  const odd = (ranges: readonly number[]): number[] => ranges.filter((_, index) => index % 2 === 1);
  return [...odd(reads), ...odd(writes), ...barrier];
}

/** Numbers of mbarriers that lie behind one another and wait for as many arrivals. */
function ringsOf(counts: ReadonlyMap<number, number>): number[] {
  const rings = new Set<number>();
  for (const [address, count] of counts) {
    if (counts.get(address - BARRIER_BYTES) === count) continue;
    let stages = 1;
    while (counts.get(address + stages * BARRIER_BYTES) === count) stages++;
    if (stages <= MAX_STAGES) rings.add(stages);
  }
  return [...rings].sort((a, b) => a - b);
}

/** What a run uses of the `dynamicBytes` that its launch has, and its rings. */
export function sharedUse({ warps, variables }: ReferenceRun, dynamicBytes: number): SharedUse {
  const dynamic = variables.filter(({ size }) => size === dynamicBytes && dynamicBytes > 0);
  const start = Math.max(0, ...dynamic.map(({ offset }) => offset));
  const counts = new Map<number, number>();
  let end = start;
  for (const step of warps.flatMap(({ steps }) => steps)) {
    if (step.op === 'init' && rankOf(step.barrier) === 0) counts.set(step.barrier, step.count);
    for (const last of endsOf(step)) {
      if (isGlobal(last)) continue;
      const offset = offsetOf(last - 1) + 1;
      if (offset <= TENSOR_MEMORY) end = Math.max(end, offset);
    }
  }
  return { dynamicBytes: dynamic.length === 0 ? 0 : end - start, stages: ringsOf(counts) };
}
