// What all roles share while they perform their actions.
import type { Position } from '@poundlock/core/internal/base';
import { UNITS } from '@poundlock/core/internal/op';
import type { Op, Unit } from '@poundlock/core/internal/op';
import type { Pool } from '@poundlock/core/internal/program';
import type { Effect } from '../isa/effect.ts';
import { isGlobal, rankOf } from '../steps/step.ts';
import type { AsyncUnit } from '../steps/step.ts';
import type { BufferPlace, PlannedBuffers } from './buffers.ts';
import type { Action, ActionOf, Uses } from './plan.ts';

/** The ids of what a kernel declares, and what is touched where. */
export interface Player {
  readonly barriers: readonly number[];
  readonly cells: readonly number[];
  /** The pool of columns of tensor memory, where it is misused. */
  readonly columns: Pool | null;
  /** Buffers of tensor maps that change, and of their parts. */
  readonly mapIds: readonly number[];
  readonly counters: readonly number[];
  readonly guards: readonly number[];
  readonly buffers: PlannedBuffers;
  readonly bufferIds: readonly number[];
  readonly placeOf: (at: number) => Position;
  /** Whether an instruction stores. */
  readonly isStore: (at: number) => boolean;
  /** The unit that makes the copy of an instruction. */
  readonly copierOf: (at: number) => Unit;
  /** Cycles of tensor-core work of an instruction; 0: as long as a model says. */
  readonly cyclesOf: (at: number) => number;
  /** Whether a simulation performs the operations: copies that no barrier counts have bytes. */
  readonly isTimed: boolean;
  /** Cycles of a fence, which a simulation adds; 0: none. */
  readonly fenceCyclesOf: (at: number) => number;
}

/** Makes the operations of actions of one kind, for a role of CTA `own`. */
type MakeOps<K extends Action['kind']> = (
  player: Player,
  action: ActionOf<K>,
  own: number,
) => readonly Op[];
/** How actions of some kinds become operations. */
export type OpsOf<K extends Action['kind']> = { readonly [N in K]: MakeOps<N> };

/** The units that the asynchronous units of steps are. */
export const UNIT_OF: Readonly<Record<AsyncUnit | 'prefetch', Unit>> = {
  prefetch: { name: 'prefetch', order: 'any-order' },
  bulk: UNITS.bulk,
  cpAsync: UNITS.cpAsync,
  wgmma: UNITS.wgmma,
  tcgen05: UNITS.tcgen05,
  tensorLoad: UNITS.tcgen05Ld,
  tensorStore: UNITS.tcgen05St,
};

const STORES_ASYNC: Unit = { name: 'st.async', order: 'any-order' };

/** The unit that makes a copy: for those of `cp` hardware keeps the memory of a CTA (X02). */
export function copierOf(effect: Effect | null): Unit {
  if (effect?.kind === 'copy' && effect.op === 'store') return STORES_ASYNC;
  return effect?.kind === 'launch control' ? UNITS.clc : UNITS.tma;
}

/** Whether the threads of an instruction store. */
export function doesStore(effect: Effect | null): boolean {
  return effect?.kind === 'access' && (effect.op === 'store' || effect.op === 'reduction');
}

/** CTAs of a target; none stands for the role's own. */
export function reach(ranks: readonly number[], own: number): readonly number[] {
  return ranks.length === 1 && ranks[0] === own ? [] : ranks;
}

/** The declarations of buffers, each once. */
export function idsOf({ bufferIds }: Player, places: readonly BufferPlace[]): number[] {
  return [...new Set(places.map(({ buffer: index }) => bufferIds[index]!))];
}

/** CTAs in which asynchronous work reads and writes. */
export function ranksOf({
  reads,
  writes,
}: {
  readonly reads: Uses;
  readonly writes: Uses;
}): readonly number[] {
  const ranks = new Set<number>();
  for (const { ranges } of [...reads.sets, ...writes.sets])
    for (let index = 0; index < ranges.length; index += 2)
      if (!isGlobal(ranges[index]!)) ranks.add(rankOf(ranges[index]!));
  return [...ranks];
}
