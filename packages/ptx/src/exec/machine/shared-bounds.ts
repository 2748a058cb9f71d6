// Accesses to shared memory that lie in no CTA of the cluster.
import { GLOBAL, offsetOf, RANK_SIZE, rankOf } from '../../steps/step.ts';
import type { Ranges, Step } from '../../steps/step.ts';
import type { Warp } from '../warp/warp.ts';
import type { Machine } from './machine.ts';
import { SYSTEM_BYTES } from './symbols.ts';
import type { Layout, Symbol } from './symbols.ts';

const RULE = 'a shared address lies in the window of its CTA';
const RANK_RULE = 'the rank that mapa takes is that of a CTA of the cluster';

/** Whether an address lies in shared memory of none of so many CTAs. */
function isOfNone(address: number, ctas: number): boolean {
  return address < GLOBAL && address >= ctas * RANK_SIZE;
}

/** Whether a step is about shared memory of a CTA that there is none of. */
export function reachesNone(step: Step, ctas: number): boolean {
  if ('barrier' in step && isOfNone(step.barrier, ctas)) return true;
  if ('barriers' in step && step.barriers.some((each) => isOfNone(each, ctas))) return true;
  if ('signals' in step && step.signals.some(({ barrier }) => isOfNone(barrier, ctas))) return true;
  if (step.op !== 'access' && step.op !== 'copy') return false;
  return haveNone(step.reads, ctas) || haveNone(step.writes, ctas);
}

/** Whether a range lies in no CTA; those of a step are in the order of lanes. */
function haveNone(ranges: Ranges, ctas: number): boolean {
  for (let index = 0; index < ranges.length; index += 2)
    if (isOfNone(ranges[index]!, ctas)) return true;
  return false;
}

/** Reports a step that reaches no CTA of the cluster, and is not made. */
export function reportNone(machine: Machine, warp: Warp, at: number): void {
  const { clusterSize } = machine;
  const cluster = clusterSize === 1 ? 'which is one CTA' : `which has ${clusterSize} CTAs`;
  const text = `it reaches shared memory of another CTA than those of its cluster, ${cluster}`;
  machine.misuse('out-of-bounds', at, text, RANK_RULE, warp);
}

/** Reports bytes that belong to no CTA. */
export function reportOutside(
  machine: Machine,
  warp: Warp,
  at: number,
  address: number,
  bytes: number,
): void {
  const { ctas, layout, memory, program } = machine;
  if (rankOf(address) >= ctas) return reportNone(machine, warp, at);
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
