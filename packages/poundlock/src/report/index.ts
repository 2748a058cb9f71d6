// Reporters: pure functions from reports to text.
import { displayed, displayedAsJson } from './displayed.ts';
import { github } from './github.ts';
import { html } from './html/index.ts';
import { json } from './json.ts';
import { markdown } from './markdown/index.ts';
import type { ReporterName } from './names.ts';
import type { Reporter } from './reporter.ts';
import { sarif } from './sarif.ts';
import { svg } from './svg.ts';
import { terminal } from './terminal/index.ts';

/** Every reporter, by its name on the command line. */
export const REPORTERS: Readonly<Record<ReporterName, Reporter>> = {
  terminal: displayed(terminal),
  json: displayedAsJson(json),
  sarif: displayedAsJson(sarif),
  github: displayed(github),
  markdown: displayed(markdown),
  html: displayed(html),
  svg: displayed(svg),
};

export { deletableLines } from './folded-advice.ts';
export { agentName } from './lanes.ts';
export { hangText, lanesText as lanesOfWarp, wordText, type ShownHang } from './hang.ts';
export type { ShownBlocks, ShownWarp } from './hang.ts';
export { counted, duration, grouped } from '@poundlock/core/internal/base';
export { calibrationTables, foldTable } from './calibration.ts';
export { modelTables } from './model-fit.ts';
export type { CalibrationReport, Predictor } from './calibration.ts';
export { checkCommand, shellWord } from './command.ts';
export type { SourceLine } from './frame.ts';
export { findTerm, GLOSSARY, TERM_NAMES, termOf, termsIn } from './glossary/index.ts';
export { renderAssumption, renderLinear, renderPage, renderRuleList, renderTerm } from './page.ts';
export { ANSI, PLAIN, type Paint } from './paint.ts';
export { REPORTER_NAMES, type ReporterName } from './names.ts';
export type { Reporter, ReporterEnvironment } from './reporter.ts';
export { parametersAsText, statement, subject } from './summary.ts';
export { TRACE_WRITERS, type TraceFormat } from './traces/index.ts';
export { presentFinding, presentStep, type Command, type Namer } from './present.ts';
