// The asynchronous engines as programs know them: TMA copies and tensor-core work.
import { closed, currentPosition, InputError, requireOptions, surplus } from '../base/index.ts';
import type { OptionsOf } from '../base/index.ts';
import { UNITS, type Side } from '../op/index.ts';
import {
  commit,
  commitGroup,
  postArrival,
  postCopy,
  postUse,
  waitGroup,
} from '../program/index.ts';
import { COPY_TARGET, CTA_TARGETS, requireWork, TILE_WORK } from '../program/index.ts';
import type { Barrier, Buffer, CtaTargets, Operation, Work } from '../program/index.ts';
import { signalOf, type Stage } from './stage.ts';

/** A stage on the producing side, in any form of ownership. */
export type SlotToFill = Stage & { readonly side: typeof Side.produce };

/** Where a copy writes and counts its bytes, and what `run` copies. */
export interface CopyTarget extends OptionsOf<typeof COPY_TARGET> {}

/** Where the work of a tensor core happens, and how long it takes. */
export interface TileWork extends OptionsOf<typeof TILE_WORK> {}

/**
 * Bulk copies by the Tensor Memory Accelerator into stages: they complete later, in any order, and
 * count their bytes on the full barrier (U01).
 */
export const tma = closed('tma', {
  /**
   * Expects the bytes of the whole stage and issues a copy of each of its parts. `run` alone
   * executes `work`, to fill the stage.
   */
  load(slot: SlotToFill, work?: Work): void {
    if (work !== undefined) requireWork('tma.load()', work);
    tma.expect(slot);
    const { length } = slot.owner.parts;
    for (let part = 0; part < length; part++) {
      tma.copy(slot, part, part === 0 && work !== undefined ? { work } : {});
    }
  },

  /** One arrival that expects `bytes`; those of the whole stage unless specified. */
  expect(slot: SlotToFill, bytes: number = slot.bytes): void {
    slot.touch(1);
    postArrival(barrierOf(slot), { bytes });
  },

  /**
   * Issues the copy of one part, by number; `ctas` multicasts it, `ctaGroup` sets which barrier
   * counts it (U06).
   */
  copy(slot: SlotToFill, part = 0, reach: CopyTarget = {}): void {
    requireOptions('tma.copy()', COPY_TARGET, reach);
    slot.touch(1);
    const into = [slot.owner.buffers[slot.index]![part]!];
    const bytes = slot.partBytes[part]!;
    if (bytes === 0) throw withoutBytes(slot.owner.name);
    postCopy(UNITS.tma, { into, bar: barrierOf(slot), bytes, ...reach });
  },
});

/** The tensor core: executes what a role issues in order (U02). */
export const mma = closed('mma', {
  /**
   * Issues work that reads `tiles` and writes `into`, in every CTA that is reached, as a group of
   * its own. `cycles` is the duration of the work, for `simulate`.
   */
  issue(tiles: Stage | readonly Stage[], into: readonly Buffer[] = [], work: TileWork = {}): void {
    requireOptions('mma.issue()', TILE_WORK, work);
    const all = Array.isArray(tiles) ? (tiles as readonly Stage[]) : [tiles as Stage];
    // Each use covers the others and the work itself.
    all.forEach((tile, at) => tile.touch(all.length - at));
    const reads = all.flatMap((tile) => tile.owner.buffers[tile.index]!);
    postUse(UNITS.mma, { reads, writes: into, group: true, ...work });
  },

  /**
   * Issues one arrival at `bar`, which happens when all work that this role issued before has
   * completed (U03).
   */
  commit(bar: Barrier, reach: CtaTargets = {}): void {
    requireOptions('mma.commit()', CTA_TARGETS, reach);
    commit(UNITS.mma, bar, reach);
  },

  /** Closes a group explicitly; {@link issue} closes one for each call. */
  commitGroup(): void {
    if (arguments.length > 0) throw surplus('mma.commitGroup()', arguments[0]);
    commitGroup(UNITS.mma);
  },

  /** Blocks until at most `inFlight` groups are open (U04). */
  waitGroup(inFlight: number): Operation<void> {
    if (arguments.length > 1) throw surplus('mma.waitGroup()', arguments[1]);
    return waitGroup(UNITS.mma, inFlight);
  },
});

/** A copy of nothing would let a barrier complete before anything is there. */
function withoutBytes(ring: string): InputError {
  return new InputError(
    `the copy fills a stage of 0 bytes: declare pipeline('${ring}', { bytes: … })`,
    currentPosition(),
  );
}

function barrierOf(slot: SlotToFill): Barrier {
  return signalOf(slot.owner, slot.side, slot.index);
}
