// Asynchronous copies: cp.async, cp.async.bulk, their tensor forms, reductions, and st.async.
import { LOCAL_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import { offsetOf, rankOf } from '../../steps/step.ts';
import type { AsyncUnit, Signal } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { checkAlignment, checkShared } from './alignment.ts';
import { checkIntact, writeData } from './barrier-data.ts';
import { addressOf, NOTHING, visible } from './builder.ts';
import { overwritten, placesOf } from './copied-memory.ts';
import type { Builder, Family } from './builder.ts';
import { elementBytes, vectorWidth } from './form.ts';
import { address, clusterRanks, firstLane, groupLanes, inRank, laneCount } from './lane.ts';
import { number, sharedAddress } from './lane.ts';
import type { ReadNumber } from './lane.ts';
import { mapKey } from '../../launch/map-key.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import { OperandError } from './slots.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const at: Wide = { low: 0, high: 0 };

/** The tensor map of a copy. */
interface MapUse {
  readonly key: string;
  /** Bytes that one copy moves; `null` where they are not known. */
  readonly bytes: number | null;
  /** Whether the hardware can read the map where it lies. */
  readonly isReadable: boolean;
}

const MAP_SPACES: readonly (readonly [number, string])[] = [
  [LOCAL_WINDOW, 'local'],
  [SHARED_WINDOW, 'shared'],
];

/** What the address of a tensor map is a multiple of. */
const MAP_ALIGNMENT = 64;
const MAP_RULE = `the address of a tensor map is a multiple of ${MAP_ALIGNMENT}`;

/** The tensor map at an address: a copy cannot read one in local or shared memory. */
function mapAt(warp: Warp, index: number, isKnown: boolean, { low, high }: Wide): MapUse {
  const { machine } = warp;
  const key = isKnown ? mapKey(true, low, high) : `unknown@${index}`;
  const space = isKnown ? MAP_SPACES.find(([window]) => window === high) : undefined;
  if (isKnown) checkAlignment(warp, low, high, MAP_ALIGNMENT, MAP_RULE);
  if (space !== undefined)
    machine.misuse(
      'tensor-map',
      index,
      `a copy takes its tensor map from ${space[1]} memory, where no copy can read it`,
      'the generic address of a tensor map lies in .param, .const or .global memory',
      warp,
    );
  else if (isKnown) machine.tensorMaps.found(low, high);
  else machine.tensorMaps.unknownUses.push(index);
  return { key, bytes: machine.tensorMaps.boxBytes(key), isReadable: space === undefined };
}

/** Bytes that a bulk copy moves at least, and at a time. */
const BULK_BYTES = 16;
const BULK_RULE = `the addresses of a bulk copy are multiples of ${BULK_BYTES}`;
/** What the shared address of a copy through a tensor map is a multiple of. */
const TILE_ALIGNMENT = 128;
const TILE_RULE = `the shared address of a tensor copy is a multiple of ${TILE_ALIGNMENT}`;

/** Reports the shared address of a bulk copy that is no multiple of a unit. */
function checkTile(warp: Warp, address: number, isTensor: boolean): void {
  if (isTensor) checkShared(warp, address, TILE_ALIGNMENT, TILE_RULE);
  else checkShared(warp, address, BULK_BYTES, BULK_RULE);
}

/** Reports a bulk copy of a part of a unit. */
function checkSize(warp: Warp, { index }: Instruction, bytes: number): void {
  if (bytes % BULK_BYTES === 0) return;
  const text = `a bulk copy of ${bytes} B: it moves multiples of ${BULK_BYTES} B`;
  warp.machine.misuse('misaligned', index, text, `its size is a multiple of ${BULK_BYTES}`, warp);
}

/** The ranks that a copy writes. */
function ranksOf(warp: Warp, destination: number, mask: number | null): number[] {
  if (mask === null) return [rankOf(destination)];
  return clusterRanks(warp).filter((rank) => ((mask >>> (rank - warp.cta.first)) & 1) === 1);
}

/** A copy into shared memory by one thread. */
interface Load {
  readonly destination: number;
  readonly barrier: number;
  /** `null` where the launch does not say how many bytes a tensor map moves. */
  readonly bytes: number | null;
  readonly map: MapUse | null;
  readonly mask: number | null;
  /** Whether an even CTA's barrier stands for its pair. */
  readonly isPair: boolean;
  readonly reads: readonly number[];
}

function issue(warp: Warp, instruction: Instruction, lane: number, load: Load): void {
  const { machine } = warp;
  const { bytes, map, mask, isPair } = load;
  const ranks = ranksOf(warp, load.destination, mask);
  const writes: number[] = [];
  const signals: Signal[] = [];
  for (const rank of ranks) {
    const destination = inRank(load.destination, rank);
    const inPair =
      isPair && offsetOf(load.barrier) === load.barrier - (rankOf(load.barrier) << 24)
        ? rank & ~1
        : rank;
    const barrier = mask === null ? load.barrier : inRank(load.barrier, isPair ? inPair : rank);
    const target = machine.barriers.at(barrier);
    const phase = target?.phase ?? 0;
    if (target !== undefined) checkIntact(warp, target);
    if (bytes === null) {
      if (target !== undefined) machine.barriers.completeUnknown(target);
      machine.unsizedCopies.push({
        at: instruction.index,
        map: map?.key ?? '',
        destination,
        barrier,
        isReadable: map?.isReadable ?? true,
      });
    } else {
      machine.checkBounds(warp, instruction.index, destination, bytes);
      writeData(warp, destination, destination + bytes);
      machine.memory.overwrite(destination, destination + bytes);
      if (target !== undefined) machine.barriers.expect(target, -bytes);
      writes.push(destination, destination + bytes);
    }
    signals.push({ barrier, bytes: bytes ?? 0, phase });
  }
  const step = { op: 'copy', at: instruction.index, writes, reads: load.reads, signals } as const;
  warp.record({ ...step, map: map?.key ?? null }, 1 << lane);
}

/** `cp.async.bulk[.tensor] … mbarrier::complete_tx::bytes`: into shared memory. */
function bulkLoad(instruction: Instruction, slots: Slots): Action {
  const { parts, operands, opcode } = instruction;
  const isTensor = parts.includes('tensor');
  const isMulticast = parts.includes('multicast::cluster');
  const isPair = parts.includes('cta_group::2');
  const destination = sharedAddress(addressOf(instruction, 0), slots);
  const isFromShared = /shared::cluster\.shared::cta/.test(opcode);
  const source = address(addressOf(instruction, 1), slots);
  const size = isTensor ? null : number(operands[2], slots, 'the size of a bulk copy');
  const barrierIndex = isTensor ? 2 : 3;
  const barrier = sharedAddress(addressOf(instruction, barrierIndex), slots);
  const maskOperand = operands.slice(barrierIndex + 1).find((operand) => operand.kind !== 'vector');
  const mask: ReadNumber | null = isMulticast
    ? number(maskOperand, slots, 'the mask of a multicast')
    : null;
  return visible((warp, lanes) => {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = source(warp, lane, at);
      const map = isTensor ? mapAt(warp, instruction.index, isKnown, at) : null;
      const bytes = size === null ? (map?.bytes ?? null) : size(warp, lane);
      if (size !== null) checkSize(warp, instruction, bytes!);
      if (!isTensor && isKnown) checkAlignment(warp, at.low, at.high, BULK_BYTES, BULK_RULE);
      const to = destination(warp, lane);
      checkTile(warp, to, isTensor);
      const memory = isTensor || !isKnown ? null : { address: { ...at }, bytes: bytes! };
      const reads = isFromShared
        ? bytes === null
          ? []
          : [at.low, at.low + bytes]
        : placesOf(warp, instruction.index, memory);
      issue(warp, instruction, lane, {
        destination: to,
        barrier: barrier(warp, lane),
        bytes,
        map,
        mask: mask === null ? null : mask(warp, lane) & 0xffff,
        isPair,
        reads,
      });
    }
    return Status.done;
  });
}

/** `cp.async.bulk` and `cp.reduce.async.bulk` out of shared memory, completed by bulk groups. */
function bulkStore(instruction: Instruction, slots: Slots): Action {
  const isTensor = instruction.parts.includes('tensor');
  const isReduction = instruction.parts.includes('reduce');
  const map = address(addressOf(instruction, 0), slots);
  const source = sharedAddress(addressOf(instruction, 1), slots);
  const size = isTensor ? null : number(instruction.operands[2], slots, 'the size of a bulk copy');
  return visible((warp, lanes) => {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const from = source(warp, lane);
      const isKnown = map(warp, lane, at);
      checkTile(warp, from, isTensor);
      if (!isTensor && isKnown) checkAlignment(warp, at.low, at.high, BULK_BYTES, BULK_RULE);
      const use = size === null ? mapAt(warp, instruction.index, isKnown, at) : null;
      const bytes = size === null ? (use?.bytes ?? null) : size(warp, lane);
      if (bytes === null) {
        warp.machine.unsizedStore(instruction.index, use?.isReadable ?? true);
        continue;
      }
      if (size !== null) checkSize(warp, instruction, bytes);
      const reads = [from, from + bytes];
      const memory = isTensor || !isKnown ? null : { address: { ...at }, bytes };
      const writes = overwritten(warp, instruction.index, memory);
      const own = isReduction ? { isReduction } : {};
      const step = {
        op: 'use',
        at: instruction.index,
        unit: 'bulk',
        reads,
        writes,
        ...own,
      } as const;
      warp.record(use === null ? step : { ...step, map: use.key }, 1 << lane);
    }
    return Status.done;
  });
}

/** `cp.async.bulk.prefetch.tensor` reads a tensor map; a plain prefetch is a hint. */
function prefetch(instruction: Instruction, slots: Slots): Action {
  if (!instruction.parts.includes('tensor')) return NOTHING;
  const target = address(addressOf(instruction, 0), slots);
  return visible((warp, lanes) => {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const { key: map } = mapAt(warp, instruction.index, target(warp, lane, at), at);
      warp.record({ op: 'prefetch', at: instruction.index, map }, 1 << lane);
    }
    return Status.done;
  });
}

function commitGroup(unit: AsyncUnit): Builder {
  return (instruction) =>
    visible((warp, mask) => {
      warp.record({ op: 'commitGroup', at: instruction.index, unit }, mask);
      return Status.done;
    });
}

/** `wait_group N`, and `wait_all`, which also commits. `isEarly`: whether others come before it. */
export function waitGroup(
  unit: AsyncUnit,
  isEarly: (warp: Warp, pending: number) => boolean = () => false,
): Builder {
  return (instruction, slots) => {
    const isAll = instruction.parts.includes('wait_all');
    const pending = isAll
      ? null
      : number(instruction.operands[0], slots, 'the count of open groups');
    const isRead = instruction.parts.includes('read');
    return visible((warp, mask) => {
      if (pending === null) warp.record({ op: 'commitGroup', at: instruction.index, unit }, mask);
      const count = pending === null ? 0 : pending(warp, firstLane(mask));
      const step = {
        op: 'waitGroup',
        at: instruction.index,
        unit,
        pending: count,
        isRead,
      } as const;
      if (warp.team !== 'released' && isEarly(warp, count)) {
        warp.team = 'held';
        warp.blockedOn = step;
        return Status.blocked;
      }
      warp.team = null;
      warp.record(step, mask);
      return Status.done;
    });
  };
}

/** Commits the work so far as a group. */
export const commitGroupOf = commitGroup;

const COPY_RULE = 'the addresses of cp.async are multiples of its size';
const COPY_SIZES: Readonly<Record<string, readonly number[]>> = { cg: [16], ca: [4, 8, 16] };

/** Whether `cp.async` has a size; reports one that it has not, and that it reads more. */
function hasCopySize(warp: Warp, bytes: number, used: number): boolean {
  const { machine, instruction } = warp;
  const sizes = COPY_SIZES[instruction.parts[2]!] ?? COPY_SIZES['ca']!;
  const report = (text: string, rule: string): void =>
    machine.misuse('misaligned', instruction.index, text, rule, warp);
  const hasSize = sizes.includes(bytes);
  if (!hasSize) report(`${instruction.opcode} of ${bytes} B`, `it copies ${sizes.join(', ')} B`);
  if (used > bytes)
    report(`cp.async reads ${used} B and writes ${bytes} B`, 'it writes at least what it reads');
  return hasSize;
}

/** How many bytes `cp.async` reads, where an operand says it. */
function usedBytes({ operands, opcode }: Instruction, slots: Slots): ReadNumber {
  // A policy comes last; a predicate says whether anything is read.
  const hints = opcode.includes('cache_hint') ? 1 : 0;
  const operand = operands.length - hints > 3 ? operands[3] : undefined;
  if (operand === undefined) return () => 0;
  const register = slots.source(operand);
  return ({ registers, program }, lane) => {
    const isSize = operand.kind === 'immediate' || program.bitsOf(register) === 32;
    return isSize && registers.read(register, lane, at) ? at.low : 0;
  };
}

/** `cp.async.ca/cg.shared.global`: copies of 4, 8 or 16 bytes by each thread. */
function threadCopy(instruction: Instruction, slots: Slots): Action {
  const destination = sharedAddress(addressOf(instruction, 0), slots);
  const source = address(addressOf(instruction, 1), slots);
  const size = number(instruction.operands[2], slots, 'the size of a copy');
  const used = usedBytes(instruction, slots);
  return visible((warp, mask) => {
    const { index } = instruction;
    const reads: number[] = [];
    const writes: number[] = [];
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const to = destination(warp, lane);
      const bytes = size(warp, lane);
      if (hasCopySize(warp, bytes, used(warp, lane))) {
        checkShared(warp, to, bytes, COPY_RULE);
        if (source(warp, lane, at)) checkAlignment(warp, at.low, at.high, bytes, COPY_RULE);
      }
      warp.machine.checkBounds(warp, instruction.index, to, bytes);
      writeData(warp, to, to + bytes);
      warp.machine.memory.overwrite(to, to + bytes);
      writes.push(to, to + bytes);
      const memory = source(warp, lane, at) ? { address: at, bytes } : null;
      reads.push(...placesOf(warp, index, memory));
    }
    warp.record({ op: 'use', at: index, unit: 'cpAsync', reads, writes }, mask);
    return Status.done;
  });
}

/** `cp.async.mbarrier.arrive`: arrivals once the thread's copies so far are complete. */
function arriveOnCopies(instruction: Instruction, slots: Slots): Action {
  const target = sharedAddress(addressOf(instruction, 0), slots);
  const isCounted = instruction.parts.includes('noinc');
  return visible((warp, mask) => {
    for (const [key, lanes] of groupLanes(mask, (lane) => target(warp, lane))) {
      const barrier = Number(key);
      const arrivals = laneCount(lanes);
      const state = warp.machine.barriers.at(barrier);
      const phase = state?.phase ?? 0;
      if (state !== undefined) checkIntact(warp, state);
      if (
        state !== undefined &&
        isCounted &&
        !warp.machine.barriers.arrive(state, arrivals, 0, false)
      )
        warp.machine.fault(
          'over-arrival',
          instruction.index,
          `more arrivals than ${warp.machine.nameOf(barrier)} expects in a phase`,
        );
      const step = { op: 'asyncArrive', at: instruction.index, barrier, arrivals } as const;
      warp.record({ ...step, phase, isCounted }, lanes);
    }
    return Status.done;
  });
}

/** `st.async`: a store into another CTA that completes its bytes at an mbarrier there. */
function asyncStore(instruction: Instruction, slots: Slots): Action {
  const bytes = elementBytes(instruction.parts) * vectorWidth(instruction.parts);
  const destination = sharedAddress(addressOf(instruction, 0), slots);
  const barrier = sharedAddress(addressOf(instruction, 2), slots);
  return visible((warp, mask) => {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const to = destination(warp, lane);
      checkShared(warp, to, bytes);
      const signal = barrier(warp, lane);
      const target = warp.machine.barriers.at(signal);
      warp.machine.checkBounds(warp, instruction.index, to, bytes);
      if (target !== undefined) checkIntact(warp, target);
      writeData(warp, to, to + bytes);
      warp.machine.memory.overwrite(to, to + bytes);
      if (target !== undefined) warp.machine.barriers.expect(target, -bytes);
      const writes = [to, to + bytes];
      const signals = [{ barrier: signal, bytes }];
      const step = { op: 'copy', at: instruction.index, writes, reads: [], signals } as const;
      warp.record({ ...step, map: null }, 1 << lane);
    }
    return Status.done;
  });
}

const TO_GLOBAL = /^cp\.(reduce\.)?async\.bulk(\.tensor\.\dd)?\.global\./;

function bulk(instruction: Instruction, slots: Slots): Action {
  const { opcode } = instruction;
  if (opcode.startsWith('cp.async.bulk.commit_group'))
    return commitGroup('bulk')(instruction, slots);
  if (opcode.startsWith('cp.async.bulk.wait_group')) return waitGroup('bulk')(instruction, slots);
  if (opcode.startsWith('cp.async.bulk.prefetch')) return prefetch(instruction, slots);
  return TO_GLOBAL.test(opcode) ? bulkStore(instruction, slots) : bulkLoad(instruction, slots);
}

function copy(instruction: Instruction, slots: Slots): Action {
  const { parts, opcode } = instruction;
  if (parts.includes('bulk')) return bulk(instruction, slots);
  if (opcode.startsWith('cp.async.mbarrier.arrive')) return arriveOnCopies(instruction, slots);
  if (opcode.startsWith('cp.async.commit_group')) return commitGroup('cpAsync')(instruction, slots);
  if (opcode.startsWith('cp.async.wait_')) return waitGroup('cpAsync')(instruction, slots);
  if (parts[1] === 'async') return threadCopy(instruction, slots);
  throw new OperandError('a copy that is not known');
}

/** Asynchronous copies by mnemonic; `st.async` is a store of the memory family otherwise. */
export const COPIES: Family = { cp: copy };
export const ASYNC_STORE: Builder = asyncStore;
/** Copies out of shared memory to all devices of a multicast address: those of one device. */
export const BULK_STORE: Builder = bulkStore;
