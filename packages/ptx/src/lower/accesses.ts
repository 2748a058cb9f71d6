// Accesses of the threads themselves: plain ones between two other steps are merged.
import type { AccessKind, AccessStep, Ranges } from '../steps/step.ts';
import { orderOf } from '@poundlock/core/internal/op';
import { worseOf } from './doubt.ts';
import type { Doubt } from './doubt.ts';
import type { Stored } from './equal-stores.ts';
import type { WarpScope } from './warp-scope.ts';

/** The accesses of one warp. */
export class WarpAccesses {
  readonly #scope: WarpScope;
  readonly #reads = new Set<Ranges>();
  readonly #writes = new Set<Ranges>();
  #stores: Stored[] = [];
  #firstAt = -1;
  #isPossible = false;
  #unknown: Doubt = 'happens';

  constructor(scope: WarpScope) {
    this.#scope = scope;
  }

  /** What later accesses are merged with, as a text. */
  get state(): string {
    const ranges = [this.#reads, this.#writes].map((parts) => [...parts].join());
    return [this.#firstAt, this.#isPossible, ...ranges].join(' ');
  }

  /** Plain accesses between two other steps are one; those that may happen are one apart. */
  plain(step: AccessStep): void {
    const isPossible = step.isPossible === true;
    if (isPossible !== this.#isPossible) this.flush();
    this.#isPossible = isPossible;
    this.#unknown = worseOf(this.#unknown, step.unknown ?? 'happens');
    if (this.#firstAt < 0) this.#firstAt = step.at;
    const { reads, writes: ranges, values, stored } = step;
    if (reads.length > 0) this.#reads.add(reads);
    if (ranges.length === 0) return;
    this.#writes.add(ranges);
    this.#stores.push({ ranges, values, ...(stored && { stored }) });
  }

  /** Volatile and atomic accesses. */
  ordered(step: AccessStep): void {
    const { at, reads, writes, adds } = step;
    const { actions, run } = this.#scope;
    const isPossible = step.isPossible === true;
    const kind = run.counts.isBegun(step) ? 'plain' : step.kind;
    this.#access(at, kind, reads, writes, [], isPossible);
    if (isPossible) this.#doubt(at, step.unknown ?? 'happens');
    const cell = run.counts.of(step);
    if (cell === undefined) return;
    const { amount, sem, scope } = adds!;
    actions.push({ kind: 'add', at, cell, amount, order: orderOf(sem, scope) });
  }

  /** Ends the merging: another step comes next. */
  flush(): void {
    if (this.#firstAt < 0) return;
    const isPossible = this.#isPossible;
    const { pieces } = this.#scope.run;
    const [reads, writes] = [pieces.union(this.#reads), pieces.union(this.#writes)];
    this.#access(this.#firstAt, 'plain', reads, writes, this.#stores, isPossible);
    if (isPossible) this.#doubt(this.#firstAt, this.#unknown);
    this.#reads.clear();
    this.#writes.clear();
    this.#stores = [];
    this.#firstAt = -1;
    this.#isPossible = false;
    this.#unknown = 'happens';
  }

  /** Notes an access that unknown data decides. */
  #doubt(at: number, doubt: Doubt): void {
    const { possible } = this.#scope;
    possible.set(at, worseOf(doubt, possible.get(at) ?? 'happens'));
  }

  #access(
    at: number,
    kind: AccessKind,
    reads: Ranges,
    writes: Ranges,
    stores: readonly Stored[],
    isPossible: boolean,
  ): void {
    const { agents, run, actions } = this.#scope;
    const { own } = agents;
    const isOrdered = kind !== 'plain';
    const reach = isOrdered ? run.reachOf(at) : undefined;
    const classes = new Map<number, readonly number[]>();
    const writer = { agent: own, reach, isOrdered, stores, classes };
    if (stores.length > 0) run.pieces.stored(writer);
    actions.push({
      kind: 'access',
      at,
      reads: {
        ...this.#scope.uses(reads, own, false, kind, reach),
        writer: isOrdered ? writer : null,
      },
      writes: { ...this.#scope.uses(writes, own, true, kind, reach), writer },
      ...(isPossible ? { isPossible } : {}),
    });
  }
}
