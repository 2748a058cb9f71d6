// What comes of a job: a result as plain data, or why there is none.
import type {
  CheckResult,
  FailureVerdict,
  Parameters,
  Proposal,
  ReportedCheck,
  SynchronizationAdvice,
} from '@poundlock/core/internal/finding';
import type { Position } from '@poundlock/core/internal/base';
import type { Job, JobVerb } from './job.ts';

/** A check: files are named relative to the folder of the program, and times are 0. */
export interface CheckOutcome {
  readonly result: CheckResult;
  /** The fewest parameters that a repetition must set. */
  readonly needed: Parameters;
}

/** A simulated run, as a row of a table has it. */
export interface SimulateOutcome {
  readonly kernel: string;
  readonly params: Parameters;
  readonly totalCycles: number;
  readonly microseconds: number;
  /** Why no GPU of the model can run it. */
  readonly limits: readonly string[];
  /** Shared memory of a CTA: as declared, or else the bytes that its stages are filled with. */
  readonly sharedBytes: number;
  readonly isDeclared: boolean;
  /** The most shared memory that the GPU has for a CTA. */
  readonly mostSharedBytes: number;
  /** What most of the critical path is, and its share. */
  readonly bottleneck: { readonly what: string; readonly share: number } | null;
  /** The resource that is nearest to its limit, and how near. */
  readonly nearestRoof: { readonly name: string; readonly share: number } | null;
}

/** The changes that `advise` proposes. */
export interface AdviseOutcome {
  readonly kernel: string;
  readonly params: Parameters;
  readonly totalCycles: number;
  readonly limit: string | null;
  readonly proposals: readonly Proposal[];
  /** Of a kernel as built, which has no proposals. */
  readonly deletions?: Deletions;
}

/** The synchronizing instructions of a kernel as built, and the cycles that deleting gains. */
export interface Deletions {
  readonly instructions: readonly SynchronizationAdvice[];
  readonly gainCycles: number;
}

/** The result type of each verb. */
export interface OutcomeOf {
  readonly check: CheckOutcome;
  readonly simulate: SimulateOutcome;
  readonly advise: AdviseOutcome;
}

/** A mistake of the program, or a job that failed on every try. */
export interface FailedOutcome {
  readonly error: string;
  readonly at?: Position;
  /** What it says of a program that could run: it is wrong, or a bound was reached. */
  readonly verdict?: FailureVerdict;
}

/** What comes of a job. */
export type Outcome<V extends JobVerb = JobVerb> =
  | { readonly ok: OutcomeOf[V] }
  | { readonly failed: FailedOutcome };

/** The document of a result. All but `elapsedMs` is a function of the job. */
export interface ResultDocument<V extends JobVerb = JobVerb> {
  readonly schema: 'poundlock/result@1';
  readonly hash: string;
  readonly job: Job<V>;
  readonly outcome: Outcome<V>;
  readonly elapsedMs: number;
}

/** A document as it travels: its text, which is parsed where it is needed. */
export function resultText(document: ResultDocument): string {
  return JSON.stringify(document);
}

/** The document of a text. */
export function parseResult(text: string): ResultDocument {
  return JSON.parse(text) as ResultDocument;
}

/** Whether a result may differ in another run: time ended it. */
export function isTimed({ job, outcome, elapsedMs }: ResultDocument): boolean {
  const { timeoutMs } = job.options as { readonly timeoutMs?: number };
  if (timeoutMs === undefined || elapsedMs < timeoutMs) return false;
  if ('failed' in outcome) return outcome.failed.verdict === 'inconclusive';
  const verdict = (outcome.ok as { readonly result?: ReportedCheck }).result?.verdict;
  return verdict === 'inconclusive';
}
