// A report: the results and findings of one command, as plain data that every reporter renders.
import type { Position } from '../base/index.ts';
import type { Proposal, SynchronizationReview } from './advice.ts';
import type { Finding } from './finding.ts';
import type { Fix } from './fix.ts';
import type { CheckResult, Parameters, Verdict } from './result.ts';
import type {
  DeviceUse,
  ModelSummary,
  PathShare,
  RingUse,
  RoleTime,
  StalledLine,
  Timeline,
} from './simulation.ts';

/** A kernel that was checked. */
export interface ReportedCheck extends Omit<CheckResult, 'findings'> {
  readonly verb: 'check';
  readonly file: string;
}

/** Other numbers of stages that were simulated, too. */
export interface MoreStages {
  /** How many runs that were. */
  readonly tried: number;
  /** The fewest stages that are nearly as fast as the best; `null` where none is much faster. */
  readonly best: StageGain | null;
}

/** A number of stages, and the time with it. */
export interface StageGain {
  readonly parameter: string;
  readonly value: number;
  readonly totalCycles: number;
}

/** Everything about one simulated run beyond its total. */
export interface SimulationDetail {
  readonly roles: readonly RoleTime[];
  readonly rings: readonly RingUse[];
  readonly lines: readonly StalledLine[];
  readonly criticalPath: readonly PathShare[];
  readonly device: DeviceUse;
  readonly moreStages: MoreStages;
  readonly stats: { readonly events: number };
  /** Not part of the JSON document; `null` where none was recorded. */
  readonly timeline: Timeline | null;
}

/** A kernel that was simulated. */
export interface ReportedSimulation {
  readonly verb: 'simulate';
  readonly file: string;
  readonly kernel: string;
  readonly params: Parameters;
  readonly model: ModelSummary;
  readonly totalCycles: number;
  /** Why no GPU of the model can run it, as sentences. */
  readonly limits: readonly string[];
  /** `null` where many runs were requested. */
  readonly detail: SimulationDetail | null;
}

/** A run as it is drawn; not part of the JSON document. */
export interface RunTimeline {
  /** The names of the roles. */
  readonly roles: readonly string[];
  readonly timeline: Timeline;
}

/** A kernel with the changes that `advise` tried. */
export interface ReportedAdvice {
  readonly verb: 'advise';
  readonly file: string;
  readonly kernel: string;
  readonly params: Parameters;
  readonly model: string;
  readonly caveat: string | null;
  /** The predicted time as it is; `null` for a kernel as built. */
  readonly current: { readonly totalCycles: number } | null;
  /** The run as it is, where a page shows it. */
  readonly run?: RunTimeline;
  /** The run with the best change that is certified, where there is one and a page shows it. */
  readonly best?: { readonly change: string; readonly run: RunTimeline };
  /** How many items the legality check covers; `null` where it covers the whole run. */
  readonly checkedItems: number | null;
  /** Why only numbers of stages are compared; `null` where release points are, too. */
  readonly limit: string | null;
  readonly proposals: readonly Proposal[];
  /** Which synchronizing instructions are needed, for a kernel as built. */
  readonly synchronization?: SynchronizationReview;
}

/** A kernel that ran on threads. */
export interface ReportedRun {
  readonly verb: 'run';
  readonly file: string;
  readonly kernel: string;
  readonly params: Parameters;
  /** Tiles that a role took as a consumer: of the ring and role with the most. */
  readonly items: number;
  readonly elapsedMs: number;
  readonly itemsPerSecond: number;
  /** Whether the recorded trace is a path of the machine; `null` where nothing was recorded. */
  readonly conforms: boolean | null;
  /** Whether every order of the recorded operations is certified; `null` where none was tried. */
  readonly certified: boolean | null;
  /** Why the run ended early, or does not conform. */
  readonly reason?: string;
}

/** What `lint` followed, and what its sound tier proved. */
export interface ReportedCoverage {
  /** Handles that were followed, their kinds, and the files that they are in. */
  readonly handles: number;
  readonly kinds: number;
  readonly files: number;
  readonly sound: {
    readonly files: number;
    /** Handles of files in which nothing is refused or suppressed. */
    readonly proved: number;
    readonly refused: number;
    readonly suppressed: number;
  };
  /** Functions with too many situations to follow. */
  readonly bounds: number;
}

/** Source files that were linted. */
export interface ReportedLint {
  readonly verb: 'lint';
  /** How many files were linted. */
  readonly files: number;
  /** How many files were not, because of a syntax error. */
  readonly unread: number;
  /** Findings that a comment with a reason suppresses, and those that the baseline lists. */
  readonly suppressed: number;
  readonly known: number;
  /** Fixes that were written. */
  readonly fixed: number;
  readonly coverage: ReportedCoverage;
  readonly elapsedMs: number;
}

/** The result type of each verb that reports. A new verb starts here. */
export interface ResultOfVerb {
  readonly check: ReportedCheck;
  readonly simulate: ReportedSimulation;
  readonly advise: ReportedAdvice;
  readonly run: ReportedRun;
  readonly lint: ReportedLint;
}

export type ReportVerb = keyof ResultOfVerb;

/** What an error says of a kernel that could run. */
export type FailureVerdict = Exclude<Verdict, 'certified'>;

/**
 * A file without a result: `error` is one sentence, `at` its position where it is known. With a
 * verdict it could run, and that shows an error of the kernel, or ran into a bound.
 */
export interface ReportedFailure {
  readonly verb: ReportVerb;
  readonly file: string;
  readonly at?: Position;
  readonly params?: Parameters;
  readonly error: string;
  readonly verdict?: FailureVerdict;
}

/** A finding with the index of its result in {@link Report.results}. */
export interface ReportedFinding extends Finding {
  readonly result: number;
  readonly fixes?: readonly Fix[];
}

/** What one command did. File names and replay commands are ready to be shown. */
export interface Report<V extends ReportVerb = ReportVerb> {
  readonly tool: { readonly name: 'poundlock'; readonly version: string; readonly verb: V };
  readonly results: readonly (ResultOfVerb[V] | ReportedFailure)[];
  readonly findings: readonly ReportedFinding[];
  /** Whether several results were requested, even if only one came out. */
  readonly isBatch: boolean;
  /** Parameters that `--sweep` varies, the last one fastest. */
  readonly swept: readonly string[];
  /** Requested results that were not started because of an interrupt. */
  readonly skipped: number;
}

/** One result with its own findings. */
export interface ResultWithFindings<V extends ReportVerb> {
  readonly result: ResultOfVerb[V] | ReportedFailure;
  readonly findings?: readonly (Finding & Pick<ReportedFinding, 'fixes'>)[];
}

/** Builds a report: all findings become one list. */
export function reportOf<V extends ReportVerb>(
  verb: V,
  version: string,
  results: readonly ResultWithFindings<V>[],
  facts: Partial<Pick<Report, 'isBatch' | 'swept' | 'skipped'>> = {},
): Report<V> {
  return {
    tool: { name: 'poundlock', version, verb },
    results: results.map(({ result }) => result),
    findings: results.flatMap(({ findings = [] }, index) =>
      findings.map((finding) => ({ ...finding, result: index })),
    ),
    isBatch: results.length > 1,
    swept: [],
    skipped: 0,
    ...facts,
  };
}

/** Whether a result is a file that could not be run. */
export function isFailure<T extends object>(
  result: T | ReportedFailure,
): result is ReportedFailure {
  return 'error' in result;
}

/** A result together with its own findings. */
export type WithFindings<Result> = Result & { readonly findings: readonly ReportedFinding[] };

/** Every result of a report, in order, each with its own findings. */
export function resultsOf<V extends ReportVerb>(
  report: Report<V>,
): (WithFindings<ResultOfVerb[V]> | ReportedFailure)[] {
  const byResult = Map.groupBy(report.findings, ({ result }) => result);
  return report.results.map((result, index) =>
    isFailure<ResultOfVerb[V]>(result)
      ? result
      : { ...result, findings: byResult.get(index) ?? [] },
  );
}

/** The results of a report without the files that could not be run. */
export function completedResults<V extends ReportVerb>(
  report: Report<V>,
): WithFindings<ResultOfVerb[V]>[] {
  return resultsOf(report).filter(
    (result): result is WithFindings<ResultOfVerb[V]> => !isFailure(result),
  );
}
