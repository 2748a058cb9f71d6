// The accesses to one piece that later ones have to know, and at which level (K04).
import type { Knowledge, SetId } from '../knowledge.ts';
import { FENCED, RELEASED, TENSOR_FENCED, VISIBLE } from './rows.ts';

/** How an access reaches memory. */
export const Proxy = { generic: 0, async: 1, copy: 2 } as const;
export type Proxy = (typeof Proxy)[keyof typeof Proxy];

/** What an access lacks: an error, or something that practice does without. */
export const Lack = {
  none: 0,
  release: 1,
  scope: 2,
  proxyFence: 3,
  /** What `isa` alone asks for. */
  strictScope: 4,
  strictFence: 5,
  strictCopyFence: 6,
  tensorFence: 7,
  strictRelease: 8,
  strictWriteFence: 9,
} as const;
export type Lack = (typeof Lack)[keyof typeof Lack];

/** A piece of shared or global memory. Its lists stay whole: they are asked at several levels. */
export class PieceLists {
  readonly #know: Knowledge;
  /** Writes through each proxy, and reads of threads; reads of copies are over when they end. */
  readonly #writes: readonly [SetId, SetId, SetId];
  readonly #reads: SetId;
  /** Those reads that do happen: what they read is over. */
  readonly #certain: SetId;
  /** The list that did not suffice, for {@link lacking}. */
  at: SetId = -1;
  /** The level at which it is not known. */
  level = RELEASED;

  constructor(know: Knowledge) {
    this.#know = know;
    const add = (): SetId => know.addList(true);
    this.#writes = [add(), add(), add()];
    this.#reads = add();
    this.#certain = add();
  }

  /** The lists whose events are writes through the generic proxy. */
  get generic(): readonly SetId[] {
    return [this.#writes[Proxy.generic], this.#writes[Proxy.copy]];
  }

  get reads(): SetId {
    return this.#reads;
  }

  /** What an access of `row` lacks of the writes before it. */
  lacksOfWrites(row: SetId, proxy: Proxy, isWrite: boolean): Lack {
    const isAsync = proxy === Proxy.async;
    const level = isAsync ? FENCED : VISIBLE;
    if (this.#misses(row, level, this.#writes[Proxy.generic])) {
      const lack = this.#why(row);
      if (lack !== Lack.proxyFence || !isWrite || this.#know.isEmpty(this.#certain)) return lack;
    }
    const copied = this.#writes[Proxy.copy];
    if (this.#misses(row, VISIBLE, copied)) return this.#why(row);
    const isLanded = !this.#misses(row, level, this.#writes[Proxy.async]);
    if (!isLanded && !isWrite) return this.#why(row);
    // H2: work that has completed is over: what is written next comes after it.
    if (!isLanded) {
      this.level = VISIBLE;
      const isReleased = this.#know.knows(row + RELEASED, this.at);
      return isReleased ? Lack.strictScope : Lack.strictRelease;
    }
    // H1: a write that threads have read back is over with their reads.
    if (this.#misses(row, level, this.#writes[Proxy.generic])) return Lack.strictWriteFence;
    // H6: data of cp.async is read asynchronously without a fence.
    if (isAsync && this.#misses(row, FENCED, copied)) return Lack.strictCopyFence;
    return Lack.none;
  }

  /** What a write of `row` lacks of the reads before it. */
  lacksOfReads(row: SetId, proxy: Proxy): Lack {
    if (this.#misses(row, RELEASED, this.#reads)) return Lack.release;
    if (this.#misses(row, VISIBLE, this.#reads)) return Lack.strictScope;
    const isUnfenced = proxy === Proxy.async && this.#misses(row, FENCED, this.#reads);
    return isUnfenced ? Lack.strictFence : Lack.none;
  }

  /** Whether there are reads of threads since the last write. */
  get isRead(): boolean {
    return !this.#know.isEmpty(this.#reads);
  }

  /** The last event, of `row`, reads; `isPossible`: or it does not. */
  read(row: SetId, proxy: Proxy, isPossible: boolean): void {
    if (proxy === Proxy.async) return;
    this.#know.put(this.#reads, row + VISIBLE);
    if (!isPossible) this.#know.put(this.#certain, row + VISIBLE);
  }

  /** The last event writes: who knows it knows all accesses before it. */
  write(proxy: Proxy): void {
    for (const list of this.#writes) this.#know.clear(list);
    this.#know.clear(this.#reads);
    this.#know.clear(this.#certain);
    this.#know.add(this.#writes[proxy]);
  }

  #misses(row: SetId, level: number, list: SetId): boolean {
    if (this.#know.knows(row + level, list)) return false;
    this.at = list;
    this.level = level;
    return true;
  }

  #why(row: SetId): Lack {
    const { level } = this;
    if (level === FENCED && this.#know.knows(row + VISIBLE, this.at)) return Lack.proxyFence;
    if (level === FENCED) this.level = VISIBLE;
    return this.#know.knows(row + RELEASED, this.at) ? Lack.scope : Lack.release;
  }
}

/** A piece of tensor memory: accesses are known through its fences, or only in order (H3). */
export class TensorLists {
  readonly #know: Knowledge;
  readonly #writes: SetId;
  readonly #reads: SetId;
  at: SetId = -1;
  readonly level = TENSOR_FENCED;

  constructor(know: Knowledge) {
    this.#know = know;
    this.#writes = know.addList(true);
    this.#reads = know.addList(true);
  }

  /** What an access of `row` lacks of those before it. */
  lacks(row: SetId, isWrite: boolean): Lack {
    const known = row + TENSOR_FENCED;
    for (const list of isWrite ? [this.#writes, this.#reads] : [this.#writes]) {
      if (this.#know.knows(known, list)) continue;
      this.at = list;
      return Lack.tensorFence;
    }
    return Lack.none;
  }

  access(row: SetId, isWrite: boolean): void {
    if (!isWrite) return this.#know.put(this.#reads, row + TENSOR_FENCED);
    this.#know.clear(this.#writes);
    this.#know.clear(this.#reads);
    this.#know.add(this.#writes);
  }
}
