// The reporter for programs: one JSON document with the same structure for every verb.
import { isFailure, type Report, type ReportedFailure } from '@poundlock/core/internal/finding';
import type { ReportVerb, ResultOfVerb, SimulationDetail } from '@poundlock/core/internal/finding';
import type { Reporter } from './reporter.ts';

/** The name of the schema: docs/schema/report.json. */
const REPORT_SCHEMA = 'poundlock/report@1';

const DOCUMENTED: { readonly [V in ReportVerb]: (result: ResultOfVerb[V]) => object } = {
  check: (result) => result,
  // A timeline is large, and other formats contain it: `--trace`.
  simulate: ({ detail, ...result }) => ({ ...result, detail: detail && withoutTimeline(detail) }),
  // JSON has no NaN: a change that deadlocks has `null` cycles.
  advise: ({ run: _run, best: _best, ...result }) => result,
  run: (result) => result,
  lint: (result) => result,
};

function withoutTimeline({ timeline: _timeline, ...detail }: SimulationDetail): object {
  return detail;
}

function documented(result: ResultOfVerb[ReportVerb] | ReportedFailure): object {
  if (isFailure(result)) return result;
  const entry = DOCUMENTED[result.verb] as (result: ResultOfVerb[ReportVerb]) => object;
  return entry(result);
}

/** A report as `poundlock/report@1`. */
export const json: Reporter = {
  name: 'json',
  render({ tool, results, findings, skipped }: Report) {
    const shown = results.map(documented);
    const document = { schema: REPORT_SCHEMA, tool, results: shown, findings, skipped };
    return `${JSON.stringify(document, null, 2)}\n`;
  },
};
