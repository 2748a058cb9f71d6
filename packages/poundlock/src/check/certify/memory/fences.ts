// What each fence does to the rows of its thread (S13, F01, I03, V02, T04).
import { unreachable } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { Fence, FenceSpace, isWide, isWidest } from '@poundlock/core/internal/op';
import type { Knowledge, SetId } from '../knowledge.ts';
import type { Accesses } from './accesses.ts';
import type { FencedMeetings } from './fenced-meetings.ts';
import {
  clearRows,
  copyRows,
  FENCED,
  joinRows,
  RETAINED,
  MAPS_ACQUIRED,
  MAPS_OF_CTA,
  MAPS_RELEASED,
  ORDERED,
  PENDING,
  PENDING_WIDE,
  RELEASED,
  TENSOR,
  TENSOR_AFTER,
  TENSOR_BEFORE,
  TENSOR_FENCED,
  VISIBLE,
} from './rows.ts';

/** The fences of all threads. */
export class FenceRows {
  static readonly none = 0;
  static readonly narrow = 1;
  static readonly wide = 2;
  static readonly widest = 3;

  /** By role: the scope of its last release fence. */
  readonly scopes: Int32Array;
  /** What fences acquire of the waits of others; `null` where that is not relied on. */
  met: FencedMeetings | null = null;
  readonly #know: Knowledge;
  readonly #threads: readonly SetId[];
  readonly #accesses: Accesses;

  constructor(know: Knowledge, threads: readonly SetId[], accesses: Accesses) {
    this.#know = know;
    this.#threads = threads;
    this.#accesses = accesses;
    this.scopes = new Int32Array(threads.length);
  }

  fence(role: number, { fence, space, order, reads: maps }: Instruction): void {
    const know = this.#know;
    const row = this.#threads[role]!;
    const kind = fence as Fence;
    switch (kind) {
      case Fence['proxy.async']:
        this.#accesses.noteFence(role);
        if (space === FenceSpace.all) return know.join(row + FENCED, row + VISIBLE);
        this.#accesses.fence(row, space === FenceSpace.global);
        if (space === FenceSpace.shared) this.#fenceInits(row);
        return;
      case Fence['mbarrier.init']:
        return this.#keepInits(role, row);
      case Fence.release:
        return this.#release(role, row, order);
      case Fence.acquire:
        return this.#acquire(role, row, order);
      case Fence.acq_rel:
      case Fence.sc:
        this.#acquire(role, row, order);
        return this.#release(role, row, order);
      case Fence['proxy.tensormap.release']:
        if (maps.length === 0) return know.join(row + MAPS_RELEASED, row + VISIBLE);
        return this.#pass(maps, row + MAPS_RELEASED, row + VISIBLE);
      case Fence['proxy.tensormap.acquire']:
        this.#pass(maps, row + MAPS_ACQUIRED, row + MAPS_RELEASED);
        return this.#pass(maps, row + MAPS_OF_CTA, row + MAPS_RELEASED);
      case Fence['tcgen05.before']:
        return know.join(row + TENSOR_BEFORE, row + TENSOR);
      case Fence['tcgen05.after']:
        return know.join(row + TENSOR_FENCED, row + TENSOR_AFTER);
      case Fence.wgmma:
        return this.#accesses.orderRegisters(role);
      default:
        return unreachable(kind);
    }
  }

  /** V02: what one row knows of some tensor maps, another one knows, too. */
  #pass(maps: readonly number[], to: SetId, from: SetId): void {
    for (const map of maps)
      for (const list of this.#accesses.writesOfMap(map)) this.#know.joinOf(to, from, list);
  }

  /** S13: a later relaxed signal carries what is known now. */
  #release(role: number, row: SetId, order: number): void {
    copyRows(this.#know, row + RETAINED, row, ORDERED);
    if (!isWide(order)) this.scopes[role] = FenceRows.narrow;
    else this.scopes[role] = isWidest(order) ? FenceRows.widest : FenceRows.wide;
  }

  /** S13: takes what relaxed waits put aside. */
  #acquire(role: number, row: SetId, order: number): void {
    const know = this.#know;
    joinRows(know, row, row + PENDING, ORDERED);
    clearRows(know, row + PENDING, ORDERED);
    if (!isWide(order)) return;
    joinRows(know, row, row + PENDING_WIDE, ORDERED);
    clearRows(know, row + PENDING_WIDE, ORDERED);
    if (isWidest(order)) this.met?.acquire(role);
  }

  /** I04: a copy may use barriers whose initialization such a fence has released. */
  #fenceInits(row: SetId): void {
    for (const list of this.#accesses.inits()) this.#know.joinOf(row + FENCED, row + VISIBLE, list);
  }

  /** I03: a release fence at cluster scope of the initializations alone. */
  #keepInits(role: number, row: SetId): void {
    // What a fence of CTA scope released does not become visible to other CTAs by this one.
    if (this.scopes[role] === FenceRows.narrow) {
      clearRows(this.#know, row + RETAINED + VISIBLE, ORDERED - VISIBLE);
    }
    for (const list of this.#accesses.inits()) {
      this.#know.joinOf(row + RETAINED + RELEASED, row + RELEASED, list);
      this.#know.joinOf(row + RETAINED + VISIBLE, row + VISIBLE, list);
    }
    this.#fenceInits(row);
    this.scopes[role] = Math.max(this.scopes[role]!, FenceRows.wide);
  }
}
