// The interface of a reporter: a pure function from a report to text.
import type {
  Report,
  ReportVerb,
  ResultOfVerb,
  RuleId,
  RulePage,
  WithFindings,
} from '@poundlock/core/internal/finding';
import type { SourceLine } from './frame.ts';
import type { ReporterName } from './names.ts';
import type { Paint } from './paint.ts';

/** What a reporter needs in addition to the report. */
export interface ReporterEnvironment {
  readonly paint: Paint;
  readonly sourceLine: SourceLine;
  /** The width at which the terminal's text is broken; without one, it is not. */
  readonly columns?: number;
  /**
   * How much of the schedules the terminal shows: the middle of a long one can be folded. Of a
   * simulated run, all figures where they are whole.
   */
  readonly schedules: 'hidden' | 'folded' | 'whole';
  /** The explanation of a rule. */
  readonly rulePage: (rule: RuleId) => RulePage;
  /** Where the same command writes the diagrams, for a document that shows them as an image. */
  readonly picture?: string;
}

/** Renders the reports of every verb. */
export interface Reporter {
  readonly name: ReporterName;
  readonly render: (report: Report, environment: ReporterEnvironment) => string;
}

/** One function of a report for each verb: a new verb is a compile error in every reporter. */
export type ByVerb<Rest extends unknown[] = [ReporterEnvironment], Rendered = string> = {
  readonly [V in ReportVerb]: (report: Report<V>, ...rest: Rest) => Rendered;
};

/** Calls the entry of the verb of a report. */
export function renderByVerb<Rest extends unknown[], Rendered>(
  table: ByVerb<Rest, Rendered>,
  report: Report,
  ...rest: Rest
): Rendered {
  // The results are of the verb that `tool` names: `reportOf` accepts no others.
  const render = table[report.tool.verb] as (report: Report, ...rest: Rest) => Rendered;
  return render(report, ...rest);
}

/** One function of a single result for each verb. */
export type ByResult<Answer> = {
  readonly [V in ReportVerb]: (result: WithFindings<ResultOfVerb[V]>) => Answer;
};

/** Any completed result with its findings. */
export type AnyResult = WithFindings<ResultOfVerb[ReportVerb]>;

/** Calls the entry of the verb of a result. */
export function answerByVerb<Answer>(table: ByResult<Answer>, result: AnyResult): Answer {
  const answer = table[result.verb] as (result: AnyResult) => Answer;
  return answer(result);
}
