// Findings of `lint` for code scanning services: one SARIF 2.1.0 log.
import type { Log, Result } from 'sarif';
import type { RuleId } from '@poundlock/core/internal/finding';
import { fingerprint } from '../fingerprint.ts';
import { distinctPlaces } from '../frame.ts';
import { location, ROOT } from '../sarif-location.ts';
import { sarifRule } from '../sarif-rule.ts';
import type { ReportedFinding } from '@poundlock/core/internal/finding';
import type { LintReporter } from './reporter.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

function resultOf(finding: ReportedFinding, rules: readonly RuleId[]): Result {
  const { rule, severity, message, primary, labels, notes, helps } = finding;
  const others = distinctPlaces([primary, ...labels]).slice(1);
  const links = others.map(({ file, line, text }, at) => `[${file}:${line}](${at + 1}): ${text}.`);
  const remarks = [
    ...notes.map((note) => `note: ${note}.`),
    ...helps.map((help) => `help: ${help}.`),
  ];
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: [`${message}.`, ...links, ...remarks].join('\n') },
    locations: [location(primary)],
    ...(others.length > 0 && {
      relatedLocations: others.map((place, at) => location({ ...place, id: at + 1 })),
    }),
    partialFingerprints: { 'poundlockFinding/v1': fingerprint(finding) },
  };
}

export const sarif: LintReporter = {
  name: 'sarif',
  render({ findings }, { rulePage, version }) {
    const rules: RuleId[] = [...new Set(findings.map(({ rule }) => rule))];
    const described = rules.map((rule) => sarifRule(rule, rulePage));
    const log: Log = {
      $schema: SCHEMA,
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 'poundlock', semanticVersion: version, rules: described },
          },
          columnKind: 'utf16CodeUnits',
          originalUriBaseIds: { [ROOT]: { description: { text: 'the working directory' } } },
          results: findings.map((finding) => resultOf(finding, rules)),
        },
      ],
    };
    return `${JSON.stringify(log, null, 2)}\n`;
  },
};
