// Asynchronous copies: cp.async, cp.async.bulk, their tensor forms, reductions, and st.async.
import { LOCAL_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import type { Copy, Group, Prefetch } from '../../isa/effect.ts';
import { offsetOf, rankOf } from '../../steps/step.ts';
import type { Signal } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { checkAlignment, checkShared } from './alignment.ts';
import { checkIntact, writeData } from './barrier-data.ts';
import { addressWith, NOTHING, operandIfAny, operandOf, visible } from './builder.ts';
import { checkBuffer } from './buffer-bounds.ts';
import {
  assumeLeftAlone,
  isCompared,
  overwritten,
  placesOf,
  placesOfBox,
} from './copied-memory.ts';
import { writeCopied } from './copied-contents.ts';
import { addStore, recordStores, type LaneStore } from './lane-stores.ts';
import type { CopySource } from './copied-contents.ts';
import type { CopiedMemory } from './copied-memory.ts';
import type { BuilderOf } from './builder.ts';
import { checkPlace, checkRange, checkSize, checkTile } from './bulk-checks.ts';
import { bulkZeros } from './bulk-store.ts';
import { address, chosenRanks, inRank, MASK_BITS } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { number, sharedAddress } from './lane.ts';
import type { ReadNumber } from './lane.ts';
import { mapKey } from '../../launch/map-key.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import { checkSpace } from './state-space.ts';
import { isAheadOfTeam } from './team.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const at: Wide = { low: 0, high: 0 };

/** The tensor map of a copy. */
interface MapUse {
  readonly key: string;
  /** Bytes that one copy moves; `null` where they are not known. */
  readonly bytes: number | null;
  /** Boxes that it moves. */
  readonly boxes: number;
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

/** A box of `tile::gather4` and `scatter4` is one row, and a copy moves four anywhere. */
const BOXES_OF_ROWS = 4;

function boxesOf({ mode }: Copy): number {
  return mode === 'tile::gather4' || mode === 'tile::scatter4' ? BOXES_OF_ROWS : 1;
}

/** The tensor map at an address: a copy cannot read one in local or shared memory. */
function mapAt(
  warp: Warp,
  index: number,
  isKnown: boolean,
  { low, high }: Wide,
  boxes = 1,
): MapUse {
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
  const box = machine.tensorMaps.boxBytes(key);
  return { key, bytes: box === null ? null : boxes * box, boxes, isReadable: space === undefined };
}

/** The ranks that a copy writes. */
function ranksOf(warp: Warp, destination: number, mask: number | null): number[] {
  return mask === null ? [rankOf(destination)] : chosenRanks(warp, mask);
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
  /** What it reads; `null` where that is not known. */
  readonly source: CopySource | null;
}

/** The mbarrier that a copy signals in a CTA. */
function barrierIn({ barrier, mask, isPair }: Load, rank: number): number {
  if (mask === null) return barrier;
  const isOfFirst = isPair && offsetOf(barrier) === barrier - (rankOf(barrier) << 24);
  return inRank(barrier, isOfFirst ? rank & ~1 : rank);
}

function issue(warp: Warp, instruction: Instruction, lane: number, load: Load): void {
  const { machine } = warp;
  const { bytes, map } = load;
  const ranks = ranksOf(warp, load.destination, load.mask);
  const writes: number[] = [];
  const signals: Signal[] = [];
  for (const rank of ranks) {
    const destination = inRank(load.destination, rank);
    const barrier = barrierIn(load, rank);
    const target = machine.barriers.at(barrier);
    const phase = target?.phase ?? 0;
    if (target !== undefined) checkIntact(warp, target);
    if (bytes === null) {
      if (target !== undefined) machine.barriers.completeUnknown(target);
      machine.unsizedCopies.push({
        at: instruction.index,
        map: map?.key ?? '',
        boxes: map?.boxes ?? 1,
        destination,
        barrier,
        isReadable: map?.isReadable ?? true,
      });
    } else {
      machine.checkBounds(warp, instruction.index, destination, bytes);
      writeData(warp, destination, destination + bytes);
      writeCopied(warp, destination, bytes, load.source);
      if (target !== undefined) machine.barriers.expect(target, -bytes);
      writes.push(destination, destination + bytes);
    }
    signals.push({ barrier, bytes: bytes ?? 0, phase });
  }
  const step = { op: 'copy', at: instruction.index, writes, reads: load.reads, signals } as const;
  warp.record({ ...step, map: map?.key ?? null }, 1 << lane);
}

/** Bytes at one end of a source that are not read, so that they may lie outside of it. */
function ignoredBytes(
  instruction: Instruction,
  role: 'ignoredLeft' | 'ignoredRight',
  slots: Slots,
): ReadNumber {
  const operand = operandIfAny(instruction, role);
  return operand === undefined ? () => 0 : number(operand, slots, 'the bytes to ignore');
}

/** Reads where in its tensor the box of a copy lies; `null` where that is not known. */
function cornerReader(instruction: Instruction, slots: Slots) {
  const { roles, operands } = instruction;
  const map = operands[roles.map ?? -1];
  const more = map?.kind === 'address' ? map.more : [];
  const elements = more.flatMap((each) => (each.kind === 'vector' ? each.elements : [each]));
  const coordinates = elements.map((each) => slots.source(each));
  return ({ registers, machine }: Warp, lane: number): readonly number[] | null => {
    if (machine.compared === null) return null;
    const corner = coordinates.map((each) => (registers.read(each, lane, at) ? at.low | 0 : null));
    return corner.includes(null) ? null : (corner as number[]);
  };
}

/** A name of the box that a copy reads; `null`: it is not known, or clusters are not compared. */
function boxOf(
  { machine }: Warp,
  { opcode }: Instruction,
  use: MapUse | null,
  corner: readonly number[] | null,
): string | null {
  const isOfLaunch = use !== null && machine.launch.tensorMaps.has(use.key);
  return isOfLaunch && corner !== null ? `${opcode} ${use.key} ${corner.join()}` : null;
}

/** Some bytes from an address; none where it is not known how many. */
function rangeOf(from: number, bytes: number | null): number[] {
  return bytes === null ? [] : [from, from + bytes];
}

/** The map of a copy, as a field of its step. */
function mapOf(use: MapUse | null): { readonly map?: string } {
  return use === null ? {} : { map: use.key };
}

/** The places of a box, where its corner is known, or of what is no box. */
function placesIn(
  warp: Warp,
  use: MapUse | null,
  corner: readonly number[] | null,
  otherwise: () => readonly number[],
): readonly number[] {
  return corner === null ? otherwise() : placesOfBox(warp, use!.key, corner);
}

/** `cp.async.bulk[.tensor] … mbarrier::complete_tx::bytes`: into shared memory. */
function bulkLoad(instruction: Instruction, effect: Copy, slots: Slots): Action {
  const isTensor = effect.op === 'tensor';
  const isPair = effect.ctaGroup === 2;
  const isOwn = effect.to === 'cta';
  const destination = sharedAddress(addressWith(instruction, 'to'), slots, isOwn);
  const isFromShared = effect.from === 'shared';
  const space = isFromShared ? 'shared' : 'global';
  const source = address(addressWith(instruction, isTensor ? 'map' : 'from'), slots);
  const size = isTensor
    ? null
    : number(operandOf(instruction, 'bytes'), slots, 'the size of a bulk copy');
  const barrier = sharedAddress(addressWith(instruction, 'mbarrier'), slots, isOwn);
  const boxes = boxesOf(effect);
  const left = ignoredBytes(instruction, 'ignoredLeft', slots);
  const right = ignoredBytes(instruction, 'ignoredRight', slots);
  const cornerOf = cornerReader(instruction, slots);
  const { multicast } = effect;
  const mask: ReadNumber | null =
    multicast === null
      ? null
      : number(operandOf(instruction, 'multicast'), slots, 'the mask of a multicast');
  return visible((warp, lanes) => {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = source(warp, lane, at);
      const from = isKnown && !isTensor && !isFromShared ? { ...at } : null;
      const map = isTensor ? mapAt(warp, instruction.index, isKnown, at, boxes) : null;
      const bytes = size === null ? (map?.bytes ?? null) : size(warp, lane);
      if (size !== null) checkSize(warp, instruction, bytes!);
      if (!isTensor && isKnown) checkPlace(warp, space, at);
      const to = destination(warp, lane);
      checkTile(warp, to, isTensor);
      const skipped = left(warp, lane);
      const address = { low: at.low + skipped, high: at.high };
      const isPlaced = !isTensor && isKnown;
      const memory = isPlaced ? { address, bytes: bytes! - skipped - right(warp, lane) } : null;
      if (memory !== null && !isFromShared) checkRange(warp, memory, 'reads');
      const corner = map === null ? null : cornerOf(warp, lane);
      const reads = isFromShared
        ? rangeOf(at.low, bytes)
        : placesIn(warp, map, corner, () => placesOf(warp, instruction.index, memory));
      issue(warp, instruction, lane, {
        destination: to,
        barrier: barrier(warp, lane),
        bytes,
        map,
        mask: mask === null ? null : mask(warp, lane) & MASK_BITS[multicast!],
        isPair,
        reads,
        source: isTensor ? boxOf(warp, instruction, map, corner) : from,
      });
    }
    return Status.done;
  });
}

/** Reports where a bulk copy may not write; at an unknown address something is assumed. */
function checkDestination(warp: Warp, isKnown: boolean, to: Wide): void {
  if (isKnown) checkPlace(warp, 'global', to);
  else assumeLeftAlone(warp, warp.instruction.index);
}

/** `cp.async.bulk` and `cp.reduce.async.bulk` out of shared memory, completed by bulk groups. */
function bulkStore(instruction: Instruction, effect: Copy, slots: Slots): Action {
  const isTensor = effect.op === 'tensor';
  const own = effect.operation === null ? {} : { isReduction: true };
  const boxes = boxesOf(effect);
  const cornerOf = cornerReader(instruction, slots);
  const map = address(addressWith(instruction, isTensor ? 'map' : 'to'), slots);
  const source = sharedAddress(addressWith(instruction, 'from'), slots, true);
  const size = isTensor
    ? null
    : number(operandOf(instruction, 'bytes'), slots, 'the size of a bulk copy');
  return visible((warp, lanes) => {
    const stores = new Map<string, LaneStore>();
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const from = source(warp, lane);
      const isKnown = map(warp, lane, at);
      checkTile(warp, from, isTensor);
      if (!isTensor) checkDestination(warp, isKnown, at);
      const use = size === null ? mapAt(warp, instruction.index, isKnown, at, boxes) : null;
      const bytes = size === null ? (use?.bytes ?? null) : size(warp, lane);
      if (bytes === null) {
        const isReadable = use?.isReadable ?? true;
        const mapped = { map: use?.key ?? '', source: from, boxes, isReadable };
        warp.machine.unsizedStore({ at: instruction.index, ...mapped });
        continue;
      }
      if (size !== null) checkSize(warp, instruction, bytes);
      const reads = [from, from + bytes];
      const memory = isTensor || !isKnown ? null : { address: { ...at }, bytes };
      if (memory !== null) checkRange(warp, memory, 'writes');
      const corner = use === null ? null : cornerOf(warp, lane);
      const writes = placesIn(warp, use, corner, () =>
        overwritten(warp, instruction.index, memory),
      );
      const box = corner === null ? null : `${use!.key} ${corner.join()}`;
      const { index } = instruction;
      const step = { op: 'use', at: index, unit: 'bulk', reads, writes, ...mapOf(use) } as const;
      const place = memory === null ? box : `${memory.address.high} ${memory.address.low}`;
      addStore(stores, { step: { ...step, ...own }, lanes: 1 << lane, box }, place);
    }
    recordStores(warp, stores);
    return Status.done;
  });
}

/** `cp.async.bulk.prefetch.tensor` reads a tensor map; a plain prefetch is a hint. */
export const prefetch: BuilderOf<Prefetch> = (instruction, { isTensor }, slots) => {
  if (!isTensor) return NOTHING;
  const target = address(addressWith(instruction, 'map'), slots);
  return visible((warp, lanes) => {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const { key: map } = mapAt(warp, instruction.index, target(warp, lane, at), at);
      warp.record({ op: 'prefetch', at: instruction.index, map }, 1 << lane);
    }
    return Status.done;
  });
};

/** Whether others come to a wait before a warp does, with so many groups left open. */
type IsEarly = (warp: Warp, pending: number) => boolean;

const NEVER_EARLY: IsEarly = () => false;

/** `wait_group N`, and `wait_all`, which also commits. */
function waitGroup(
  instruction: Instruction,
  { op, unit, isReadOnly }: Group,
  slots: Slots,
): Action {
  const { index } = instruction;
  const pending =
    op === 'wait all'
      ? null
      : number(operandOf(instruction, 'count'), slots, 'the count of open groups');
  const isEarly = unit === 'wgmma' ? isAheadOfTeam : NEVER_EARLY;
  return visible((warp, mask) => {
    if (pending === null) warp.record({ op: 'commitGroup', at: index, unit }, mask);
    const count = pending === null ? 0 : pending(warp, firstLane(mask));
    const step = { op: 'waitGroup', at: index, unit, pending: count, isRead: isReadOnly } as const;
    if (warp.turns.team !== 'released' && isEarly(warp, count)) {
      warp.turns.team = 'held';
      warp.wait.on = step;
      return Status.blocked;
    }
    warp.turns.team = null;
    warp.record(step, mask);
    return Status.done;
  });
}

/** Commits of the work so far as a group, and waits for groups. */
export const group: BuilderOf<Group> = (instruction, effect, slots) => {
  const { op, unit } = effect;
  if (op !== 'commit') return waitGroup(instruction, effect, slots);
  return visible((warp, mask) => {
    warp.record({ op: 'commitGroup', at: instruction.index, unit }, mask);
    return Status.done;
  });
};

const COPY_RULE = 'the addresses of cp.async are multiples of its size';
const COPY_SIZES = [4, 8, 16] as const;
const UNCACHED_SIZES = [16] as const;

/** Whether `cp.async` has a size; reports one that it has not, and that it reads more. */
function hasCopySize(warp: Warp, sizes: readonly number[], bytes: number, used: number): boolean {
  const { machine, instruction } = warp;
  const report = (text: string, rule: string): void =>
    machine.misuse('misaligned', instruction.index, text, rule, warp);
  const hasSize = sizes.includes(bytes);
  if (!hasSize) report(`${instruction.opcode} of ${bytes} B`, `it copies ${sizes.join(', ')} B`);
  if (used > bytes)
    report(`cp.async reads ${used} B and writes ${bytes} B`, 'it writes at least what it reads');
  return hasSize;
}

/** How many bytes `cp.async` reads, where an operand says it; a predicate says whether any. */
function usedBytes(instruction: Instruction, slots: Slots): ReadNumber {
  const { operands, roles } = instruction;
  const [, , , operand] = operands;
  if (operand === undefined || roles.policy === 3) return () => 0;
  const register = slots.source(operand);
  return ({ registers, program }, lane) => {
    const isSize = operand.kind === 'immediate' || program.bitsOf(register) === 32;
    return isSize && registers.read(register, lane, at) ? at.low : 0;
  };
}

/** `cp.async.ca/cg.shared.global`: copies of 4, 8 or 16 bytes by each thread. */
function threadCopy(instruction: Instruction, { isUncached }: Copy, slots: Slots): Action {
  const destination = sharedAddress(addressWith(instruction, 'to'), slots, true);
  const source = address(addressWith(instruction, 'from'), slots);
  const size = number(operandOf(instruction, 'bytes'), slots, 'the size of a copy');
  const sizes = isUncached ? UNCACHED_SIZES : COPY_SIZES;
  const used = usedBytes(instruction, slots);
  // A size or a predicate may say that less is read, or nothing.
  const isPartial =
    instruction.operands.length - (instruction.roles.policy === undefined ? 0 : 1) > 3;
  return visible((warp, mask) => {
    const { index } = instruction;
    const sources: (CopiedMemory | null)[] = [];
    const writes: number[] = [];
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const to = destination(warp, lane);
      const bytes = size(warp, lane);
      if (hasCopySize(warp, sizes, bytes, used(warp, lane))) {
        checkShared(warp, to, bytes, COPY_RULE);
        if (source(warp, lane, at)) checkAlignment(warp, at.low, at.high, bytes, COPY_RULE);
      }
      warp.machine.checkBounds(warp, instruction.index, to, bytes);
      writeData(warp, to, to + bytes);
      writes.push(to, to + bytes);
      const read = isPartial ? used(warp, lane) : bytes;
      const isKnown = source(warp, lane, at);
      if (isKnown) checkSpace(warp, 'global', at.low, at.high);
      if (isKnown && read > 0) checkBuffer(warp, at.low, at.high, read, 'reads');
      sources.push(isKnown ? { address: { ...at }, bytes: read } : null);
      writeCopied(warp, to, bytes, isKnown && read === bytes ? { ...at } : null);
    }
    // Each lane has as many ranges as the others.
    const isMet = warp.machine.words !== null || sources.some((each) => isCompared(warp, each));
    const reads = isMet ? sources.flatMap((each) => placesOf(warp, index, each, true)) : [];
    warp.record({ op: 'use', at: index, unit: 'cpAsync', reads, writes }, mask);
    return Status.done;
  });
}

/** `st.async`, `red.async`: a store into another CTA that completes its bytes at an mbarrier. */
function asyncStore(instruction: Instruction, { bytes, operation }: Copy, slots: Slots): Action {
  const own = operation === null ? {} : { isReduction: true };
  const destination = sharedAddress(addressWith(instruction, 'to'), slots, false);
  const barrier = sharedAddress(addressWith(instruction, 'mbarrier'), slots, false);
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
      warp.record({ ...step, map: null, ...own }, 1 << lane);
    }
    return Status.done;
  });
}

/** Copies by which instruction they are. */
const BUILDERS: Readonly<Record<Copy['op'], BuilderOf<Copy>>> = {
  thread: threadCopy,
  bulk: bulkCopy,
  tensor: bulkCopy,
  store: asyncStore,
  zeros: bulkZeros,
};

function bulkCopy(instruction: Instruction, effect: Copy, slots: Slots): Action {
  return (effect.to === 'global' ? bulkStore : bulkLoad)(instruction, effect, slots);
}

/** Asynchronous copies, and stores into the shared memory of other CTAs. */
export const copy: BuilderOf<Copy> = (instruction, effect, slots) =>
  BUILDERS[effect.op](instruction, effect, slots);
