// The programs that were measured: what they use, and how well the models predict them.
import { MEASURED_ERRORS } from './measured-errors.ts';
import type { Mechanism } from './mechanisms.ts';

/** The errors of a model on all rows of a measured table. */
export interface MeasuredProgram {
  /** The table, in the folder of its GPU: bench/h200 or bench/h100. */
  readonly table: string;
  readonly medianPercent: number;
  readonly p95Percent: number;
  readonly mechanisms: ReadonlySet<Mechanism>;
}

/** What each measured program uses; `tensor_core_2` is `tensor_core` on another day. */
const MECHANISMS_OF: Readonly<Record<string, readonly Mechanism[]>> = {
  two_role: [],
  three_role: ['handOver'],
  release_order: ['rings'],
  tensor_core: ['tensor', 'warps'],
  tensor_core_2: ['tensor', 'warps'],
  tensormap: ['maps'],
  styles: ['warps'],
  store: ['stores', 'handOver'],
  multicast: ['cluster'],
  waves: ['resident', 'waves'],
  resident_store: ['stores', 'handOver', 'resident'],
  resident_tensor_core: ['tensor', 'warps', 'resident'],
  cp_async: ['threads', 'warps'],
  resident_cp_async: ['threads', 'warps', 'resident'],
  chain: ['handOver', 'handOvers'],
  diamond: ['handOver', 'handOvers', 'rings'],
  attention: ['tensor', 'beside', 'warps', 'rings', 'handOver'],
  gemm: ['tensor', 'beside', 'warps', 'stores'],
  work: ['arithmetic', 'warps'],
};

/** The tables of measured programs, without `.csv`. */
export const MEASURED_TABLES: readonly string[] = Object.keys(MECHANISMS_OF);

/** The measured programs of a model, with its errors. */
export function programsOf(
  tables: Readonly<Record<string, readonly [number, number]>>,
): readonly MeasuredProgram[] {
  return Object.entries(tables).map(([table, [medianPercent, p95Percent]]) => {
    return { table, medianPercent, p95Percent, mechanisms: new Set(MECHANISMS_OF[table]) };
  });
}

/** Some programs were measured on an H100 alone: its tables stand in where an H200 has none. */
export const STAND_IN = {
  of: MEASURED_ERRORS.h200,
  chip: 'h100',
  errors: MEASURED_ERRORS.h100,
} as const;
