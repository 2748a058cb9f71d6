// Renderings: pure functions from results to text.
import { github } from './github.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { Reporter } from './report.ts';
import { sarif } from './sarif.ts';
import { terminal } from './terminal.ts';

/** Every reporter, by its name on the command line. */
export const REPORTERS: readonly Reporter[] = [terminal, json, sarif, github, markdown];

export { checkCommand, shellWord } from './command.ts';
export { CHECK_SCHEMA } from './json.ts';
export { renderPage, renderRuleList } from './page.ts';
export { ADVISE_SCHEMA, adviceJson, adviceText } from './advice.ts';
export { calibrationTables, foldTable } from './calibration.ts';
export type { CalibrationReport, Predictor } from './calibration.ts';
export * from './simulation/index.ts';
export { ANSI, PLAIN, type Paint } from './paint.ts';
export { counted, duration, grouped } from '@poundlock/core/internal/base';
export { isChecked } from './report.ts';
export type { Checked, CheckReport, Failed, Outcome, Reporter, Surroundings } from './report.ts';
export type { SourceLine } from './frame.ts';
export { RUN_SCHEMA, runAsJson, runAsText, type ShownRun } from './run.ts';
export { subject, parametersAsText } from './summary.ts';
export { LINT_REPORTERS, LINT_SCHEMA } from './lint/index.ts';
export type { LintFix, LintReport, LintReporter, ReportedFinding } from './lint/index.ts';
