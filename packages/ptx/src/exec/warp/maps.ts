// Tensor maps that threads change: tensormap.replace, tensormap.cp_fenceproxy, and plain accesses
// to the bytes of a map in global memory.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import { stepScope } from './order.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { addressOf, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import type { MapField, TensorMap } from '../../isa/effect.ts';
import type { Action } from './program.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { MAP_BYTES, mapKey } from '../../launch/map-key.ts';
import { Status } from './program.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };
const WHOLE = [0, MAP_BYTES] as const;
const UNKNOWN = 'which tensor map it changes is unknown data';

/** Threads change a map: one in shared memory by its bytes there, another one by its address. */
function change(warp: Warp, index: number, mask: number, { low, high }: Wide): void {
  if (high === 0 || high === SHARED_WINDOW) {
    const writes = [low, low + MAP_BYTES];
    const { memory, tensorMaps, copiedMaps } = warp.machine;
    memory.overwrite(low, low + MAP_BYTES);
    tensorMaps.sealed(mapKey(true, low, high), copiedMaps.textOf(memory, low));
    const step = { op: 'access', at: index, kind: 'plain', reads: [], writes, values: [] } as const;
    return warp.record(step, mask);
  }
  warp.machine.tensorMaps.found(low, high);
  const map = mapKey(true, low, high);
  warp.record({ op: 'map', at: index, map, reads: [], writes: WHOLE }, mask);
}

/** Notes which map of the launch the bytes in shared memory are a copy of, if they are one. */
function findCopy({ machine }: Warp, key: string, { low, high }: Wide): void {
  if (high !== 0 && high !== SHARED_WINDOW) return;
  const { copiedMaps, memory, tensorMaps } = machine;
  const template = copiedMaps.of(memory, low);
  if (template === null) tensorMaps.verify(key, copiedMaps.textOf(memory, low));
  else tensorMaps.copied(key, template);
}

/** `tensormap.replace` changes a field of a map in place. */
function replace(instruction: Instruction, field: MapField, slots: Slots): Action {
  const { index, operands } = instruction;
  const target = address(addressOf(instruction, 0), slots);
  const ordinal = operands.length > 2 ? slots.source(operands[1]) : slots.zero;
  const source = slots.source(operands.at(-1));
  return visible((warp, mask) => {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      if (!target(warp, lane, at)) return warp.machine.undecided(index, UNKNOWN);
      const key = mapKey(true, at.low, at.high);
      findCopy(warp, key, at);
      const number = warp.registers.read(ordinal, lane, value) ? value.low : 0;
      if (warp.registers.read(source, lane, value))
        warp.machine.tensorMaps.replace(key, field, number, value.low);
      change(warp, index, 1 << lane, at);
    }
    return Status.done;
  });
}

/** `tensormap.cp_fenceproxy`: a map in shared memory becomes one in global memory, released. */
function copyMap(instruction: Instruction, effect: TensorMap, slots: Slots): Action {
  const { index } = instruction;
  const target = address(addressOf(instruction, 0), slots);
  const source = address(addressOf(instruction, 1), slots);
  const scope = stepScope(effect.scope ?? 'gpu');
  return visible((warp, mask) => {
    const lane = firstLane(mask);
    if (!source(warp, lane, value)) return warp.machine.undecided(index, UNKNOWN);
    const from = value.low;
    const fromKey = mapKey(true, value.low, value.high);
    findCopy(warp, fromKey, value);
    if (!target(warp, lane, at)) return warp.machine.undecided(index, UNKNOWN);
    const map = mapKey(true, at.low, at.high);
    warp.machine.tensorMaps.copy(fromKey, map);
    const reads = [from, from + MAP_BYTES];
    const step = { op: 'access', at: index, kind: 'plain', reads, writes: [], values: [] } as const;
    warp.record(step, mask);
    change(warp, index, mask, at);
    warp.record({ op: 'fence', at: index, fence: 'proxy.tensormap.release', scope, map }, mask);
    return Status.done;
  });
}

/** Instructions that change tensor maps. */
export const tensorMap: BuilderOf<TensorMap> = (instruction, effect, slots) =>
  effect.field === null
    ? copyMap(instruction, effect, slots)
    : replace(instruction, effect.field, slots);

/** What the instruction in execution touches of maps: by map, ranges in the order of its lanes. */
interface Touched {
  readonly reads: number[];
  readonly writes: number[];
  lanes: number;
}
const touched = new Map<string, Touched>();

/** A lane loads or stores bytes at a known address in global memory. */
export function touchMap(
  warp: Warp,
  lane: number,
  { low, high }: Wide,
  bytes: number,
  isWrite: boolean,
): void {
  const found = warp.machine.tensorMaps.at(low, high);
  if (found === null) return;
  let own = touched.get(found.key);
  if (own === undefined) touched.set(found.key, (own = { reads: [], writes: [], lanes: 0 }));
  const to = Math.min(MAP_BYTES, found.offset + bytes);
  (isWrite ? own.writes : own.reads).push(found.offset, to);
  own.lanes |= 1 << lane;
}

/** Adds the steps of what an instruction has touched. */
export function recordMaps(warp: Warp, index: number): void {
  if (touched.size === 0) return;
  for (const [map, { reads, writes, lanes }] of touched)
    warp.record({ op: 'map', at: index, map, reads, writes }, lanes);
  touched.clear();
}
