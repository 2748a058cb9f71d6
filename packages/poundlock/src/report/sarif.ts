// The reporter for code scanning services and editors: one SARIF 2.1.0 log.
import type { Log, Notification, Run } from 'sarif';
import type { RuleId } from '@poundlock/core/internal/finding';
import { counted } from '@poundlock/core/internal/base';
import { isChecked } from './report.ts';
import type { CheckReport, Outcome, Reporter, Surroundings } from './report.ts';
import { physicalLocation, ROOT } from './sarif-location.ts';
import { sarifResult } from './sarif-result.ts';
import { sarifRule } from './sarif-rule.ts';
import { statement, subject } from './summary.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** What is no finding but must not be taken for a success either. */
function notification(outcome: Outcome): Notification[] {
  if (!isChecked(outcome)) {
    const { file, line, column } = outcome.at ?? { file: outcome.file };
    const locations = [{ physicalLocation: physicalLocation(file, line, column) }];
    const descriptor = { id: 'could-not-run' };
    return [{ descriptor, level: 'error', message: { text: outcome.error }, locations }];
  }
  const { file, result } = outcome;
  if (result.verdict !== 'inconclusive') return [];
  const text = `${subject(result)}: ${statement(result)}`;
  const locations = [{ physicalLocation: physicalLocation(file) }];
  return [{ descriptor: { id: 'inconclusive' }, level: 'warning', message: { text }, locations }];
}

function interrupted(skipped: number): Notification[] {
  if (skipped === 0) return [];
  const text = `${counted(skipped, 'check')} not started`;
  return [{ descriptor: { id: 'interrupted' }, level: 'warning', message: { text } }];
}

/** What was checked and what came out, also where nothing was found. */
function checkOf(outcome: Outcome): object {
  if (!isChecked(outcome)) return { ...outcome, verdict: 'could not run' };
  const { file, result } = outcome;
  const { kernel, params, verdict, reason, notes, scope, stats } = result;
  const { every, assumptions } = scope;
  return { file, kernel, params, every, assumptions, verdict, reason, notes, states: stats.states };
}

/** One run for all results, because services keep only one of a tool in a log. */
function runOf({ outcomes, skipped }: CheckReport, { rulePage, version }: Surroundings): Run {
  const checked = outcomes.filter(isChecked);
  const found = checked.flatMap(({ result }) => result.findings.map((finding) => finding.rule));
  const rules: RuleId[] = [...new Set(found)];
  const described = rules.map((rule) => sarifRule(rule, rulePage));
  const notifications = [...outcomes.flatMap(notification), ...interrupted(skipped)];
  return {
    tool: { driver: { name: 'poundlock', semanticVersion: version, rules: described } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [ROOT]: { description: { text: 'the working directory' } } },
    invocations: [
      {
        executionSuccessful: notifications.length === 0,
        toolExecutionNotifications: notifications,
      },
    ],
    results: checked.flatMap(({ result }) =>
      result.findings.map((finding) => sarifResult(finding, result, rules.indexOf(finding.rule))),
    ),
    properties: { checks: outcomes.map(checkOf) },
  };
}

/** Results as one SARIF log. */
export const sarif: Reporter = {
  name: 'sarif',
  render(report, surroundings) {
    const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [runOf(report, surroundings)] };
    return `${JSON.stringify(log, null, 2)}\n`;
  },
};
