// A plan: which jobs a command consists of, and how their results are put together.
import type { MemoryProfile } from '../../check/index.ts';
import type { Parameters, ParameterValue, TextHash } from '@poundlock/core/internal/finding';
import { canonicalJson, hashOf, type SweepVerb } from './job.ts';

export const PLAN_SCHEMA = 'poundlock/plan@1';

/** A row of a sweep, and the job of each verb. */
export interface PlannedRow {
  /** All parameters; those that are set alone where the kernel refuses them. */
  readonly params: Parameters;
  /** The swept ones, as the user wrote them. */
  readonly swept: Readonly<Record<string, ParameterValue>>;
  readonly jobs: Readonly<Partial<Record<SweepVerb, string>>>;
  /** Why it has no jobs. */
  readonly error?: string;
}

/** The jobs of `poundlock sweep`. */
export interface SweepPlan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly kind: 'sweep';
  readonly engine: string;
  readonly file: string;
  readonly texts: readonly TextHash[];
  readonly kernel: string;
  readonly model: string;
  readonly verbs: readonly SweepVerb[];
  readonly swept: readonly string[];
  /** Parameters and numbers whose product cycles are divided by; empty for none. */
  readonly per: readonly string[];
  readonly rows: readonly PlannedRow[];
}

/** One check of a corpus: its file and its job, or why it has none. */
export type PlannedCheck =
  | {
      readonly file: string;
      /** What names in its result are relative to. */
      readonly folder: string;
      readonly params: Parameters;
      readonly texts: readonly TextHash[];
      readonly job: string;
    }
  | { readonly file: string; readonly error: string; readonly at?: PlannedPlace };

interface PlannedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The jobs of `poundlock check` over many files. */
export interface CheckPlan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly kind: 'check';
  readonly engine: string;
  readonly swept: readonly string[];
  readonly memory: MemoryProfile | null;
  readonly checks: readonly PlannedCheck[];
}

export type Plan = SweepPlan | CheckPlan;

/** The name of a plan. */
export function planHash(plan: Plan): string {
  return hashOf(canonicalJson(plan));
}

/** A part of the jobs of a plan: every `count`-th, from the `index`-th on, which starts at 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The jobs of a shard. */
export function ofShard<T>(jobs: readonly T[], { index, count }: Shard): T[] {
  return jobs.filter((_, at) => at % count === index - 1);
}
