// The reporter for code scanning services and editors: one SARIF 2.1.0 log.
import type { Log, Notification, Run } from 'sarif';
import {
  isFailure,
  resultsOf,
  type Report,
  type ReportedFailure,
  type RuleId,
} from '@poundlock/core/internal/finding';
import { remarksOf, type Remark } from './remarks.ts';
import { answerByVerb, type AnyResult, type ByResult } from './reporter.ts';
import type { Reporter, ReporterEnvironment } from './reporter.ts';
import { physicalLocation, ROOT } from './sarif-location.ts';
import { sarifResult } from './sarif-result.ts';
import { sarifRule } from './sarif-rule.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Notifications: no findings, but no success either. */
function notification({ id, level, text, at }: Remark): Notification {
  return {
    descriptor: { id },
    level,
    message: { text },
    ...(at !== undefined && {
      locations: [{ physicalLocation: physicalLocation(at.file, at.line, at.column) }],
    }),
  };
}

/** The results of each file, including those without findings; without large fields. */
const FACTS: ByResult<object> = {
  // Findings are results of the log, and schedules their code flows.
  check: ({ findings: _findings, example: _example, ...facts }) => facts,
  simulate: ({ detail: _detail, findings: _findings, ...facts }) => facts,
  advise: ({ findings: _findings, run: _run, ...facts }) => facts,
  run: ({ findings: _findings, ...facts }) => facts,
  lint: ({ findings: _findings, ...facts }) => facts,
};

function factsOf(result: AnyResult | ReportedFailure): object {
  return isFailure(result) ? result : answerByVerb(FACTS, result);
}

/** One run for all results, because services keep only one run of a tool in a log. */
function runOf(report: Report, { rulePage }: ReporterEnvironment): Run {
  const { results, findings, tool } = report;
  const rules: RuleId[] = [...new Set(findings.map(({ rule }) => rule))];
  const described = rules.map((rule) => sarifRule(rule, rulePage));
  const remarks = remarksOf(report).filter(({ level }) => level !== 'note');
  const { name, version } = tool;
  return {
    tool: { driver: { name, semanticVersion: version, rules: described } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [ROOT]: { description: { text: 'the working directory' } } },
    invocations: [
      {
        executionSuccessful: remarks.length === 0,
        toolExecutionNotifications: remarks.map(notification),
      },
    ],
    results: findings.map((finding) =>
      sarifResult(finding, results[finding.result]!, rules.indexOf(finding.rule)),
    ),
    properties: { verb: tool.verb, results: resultsOf(report).map(factsOf) },
  };
}

/** A report as one SARIF log. */
export const sarif: Reporter = {
  name: 'sarif',
  render(report, environment) {
    const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [runOf(report, environment)] };
    return `${JSON.stringify(log, null, 2)}\n`;
  },
};
