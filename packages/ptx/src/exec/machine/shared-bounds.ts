// Accesses to shared memory that lie in no CTA of the cluster.
import { offsetOf, rankOf } from '../../steps/step.ts';
import type { Warp } from '../warp/warp.ts';
import type { Machine } from './machine.ts';
import { SYSTEM_BYTES } from './symbols.ts';
import type { Layout, Symbol } from './symbols.ts';

const RULE = 'a shared address lies in the window of its CTA';

/** Reports bytes that belong to no CTA. */
export function reportOutside(
  machine: Machine,
  warp: Warp,
  at: number,
  address: number,
  bytes: number,
): void {
  const { ctas, clusterSize, layout, memory, program } = machine;
  const outside = `an address behind the cluster of ${clusterSize}`;
  if (rankOf(address) >= ctas) return machine.fault('out-of-bounds', at, outside);
  const end = offsetOf(address) + bytes - SYSTEM_BYTES;
  const size = memory.bytes - SYSTEM_BYTES;
  const text = `an access reaches byte ${end} of shared memory, of which a CTA has ${size}`;
  const isFar = end > Math.ceil(size / SYSTEM_BYTES) * SYSTEM_BYTES;
  const { operands } = program.code.instructions[at]!;
  const names = program.provenance.variablesOfAll(operands, at);
  // How a compiler lays out variables may differ by less than this.
  if (isFar || isBehindAll(layout, names, end + SYSTEM_BYTES))
    return machine.misuse('out-of-bounds', at, text, RULE, warp);
  machine.fault('out-of-bounds', at, text);
}

/**
 * Whether an offset, counted from one of some variables, is behind all shared variables in whatever
 * order a compiler lays them out; `names` is `null` where any of them may be meant.
 */
function isBehindAll({ shared }: Layout, names: ReadonlySet<string> | null, end: number): boolean {
  const room = ({ size, variable }: Symbol): number => size + (variable?.align ?? 1) - 1;
  return shared.every((from) => {
    if (names !== null && !names.has(from.name)) return true;
    const others = shared.reduce((sum, each) => sum + (each === from ? 0 : room(each)), 0);
    return end - from.offset > from.size + others;
  });
}
