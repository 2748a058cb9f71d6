// What `check` answers: one of three verdicts, what it holds for, and the findings.
import type { Finding } from './finding.ts';
import type { Standing, TraceStep } from './trace.ts';

/** The value of a kernel's parameter. */
export type ParameterValue = number | boolean | string;
export type Parameters = Readonly<Record<string, ParameterValue>>;

export type Verdict = 'certified' | 'counterexample' | 'inconclusive';

/** A schedule on which nothing is wrong. */
export interface ExampleSchedule {
  readonly trace: readonly TraceStep[];
  readonly standing: readonly Standing[];
  readonly replay: string;
}

/** The result of checking one kernel with one set of parameters (`poundlock/check@1`). */
export interface CheckResult {
  readonly kernel: string;
  readonly params: Parameters;
  readonly verdict: Verdict;
  /** What the verdict holds for. */
  readonly scope: {
    readonly params: Parameters;
    readonly every: readonly string[];
    readonly assumptions: readonly string[];
  };
  readonly findings: readonly Finding[];
  /** Why the verdict is inconclusive: the bound that was hit, in one sentence. */
  readonly reason?: string;
  /** What is worth knowing of a verdict beside it, a sentence each. */
  readonly notes?: readonly string[];
  /** A shortest schedule that ends well, when one was asked for. */
  readonly example?: ExampleSchedule;
  readonly stats: {
    readonly engine: string;
    readonly events: number;
    readonly states: number;
    readonly transitions: number;
    readonly elapsedMs: number;
  };
}
