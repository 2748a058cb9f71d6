// The asynchronous engines as programs know them: TMA copies and tensor-core work.
import { UNITS, type Side } from '../op/index.ts';
import { arrive, asyncCopy, asyncUse, commit, commitGroup, waitGroup } from '../program/index.ts';
import type {
  Barrier,
  Buffer,
  CopyOptions,
  Operation,
  TargetCtas,
  Work,
} from '../program/index.ts';
import { signalOf, type Stage } from './stage.ts';

/** A stage to fill, whichever handle releases it. */
type Slot = Stage & { readonly side: typeof Side.produce };

/** Where a copy completes and counts its bytes, and what `run` copies. */
export type CopyReach = Pick<CopyOptions, 'cta' | 'ctas' | 'ctaGroup' | 'work'>;

/** Bulk copies into stages: they complete later, in any order, and count their bytes on `full`. */
export const tma = {
  /**
   * Expects the bytes of the whole stage and starts a copy of each of its parts. `work` is what
   * `run` does to fill the stage.
   */
  load(slot: Slot, work?: Work): void {
    tma.expect(slot);
    const { length } = slot.owner.parts;
    for (let part = 0; part < length; part++) {
      tma.copy(slot, part, part === 0 && work !== undefined ? { work } : {});
    }
  },

  /** One arrival that expects `bytes`; those of the whole stage unless given. */
  expect(slot: Slot, bytes: number = slot.bytes): void {
    slot.touch(1);
    arrive(barrierOf(slot), { bytes });
  },

  /** Starts the copy of one part, by number; `ctas` multicasts it, `ctaGroup` counts it (U06). */
  copy(slot: Slot, part = 0, reach: CopyReach = {}): void {
    slot.touch(1);
    const into = [slot.owner.buffers[slot.index]![part]!];
    const bytes = slot.partBytes[part]!;
    asyncCopy(UNITS.tma, { into, bar: barrierOf(slot), bytes, ...reach });
  },
};

/** The tensor core: works through what a role issues in order, and completes it in order. */
export const mma = {
  /**
   * Starts work that reads `tiles` and writes `into`, in every CTA reached, as a group of its own;
   * `cycles` says how long the tensor core works on it, for `simulate`.
   */
  issue(
    tiles: Stage | readonly Stage[],
    into: readonly Buffer[] = [],
    work: TargetCtas & { readonly cycles?: number } = {},
  ): void {
    const all = Array.isArray(tiles) ? (tiles as readonly Stage[]) : [tiles as Stage];
    // Each use covers the others and the work itself.
    all.forEach((tile, at) => tile.touch(all.length - at));
    const reads = all.flatMap((tile) => tile.owner.buffers[tile.index]!);
    asyncUse(UNITS.mma, { reads, writes: into, group: true, ...work });
  },

  /** One arrival on `bar` when all work that this role issued before has completed. */
  commit(bar: Barrier, reach: TargetCtas = {}): void {
    commit(UNITS.mma, bar, reach);
  },

  /** Closes a group by hand; `issue` closes one by itself. */
  commitGroup(): void {
    commitGroup(UNITS.mma);
  },

  /** Waits until at most `inFlight` groups are still under way. */
  waitGroup(inFlight: number): Operation<void> {
    return waitGroup(UNITS.mma, inFlight);
  },
};

function barrierOf(slot: Slot): Barrier {
  return signalOf(slot.owner, slot.side, slot.index);
}
