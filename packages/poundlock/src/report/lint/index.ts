// Renderings of what `lint` found.
import { github } from './github.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { LintReporter } from './reporter.ts';
import { sarif } from './sarif.ts';
import { terminal } from './terminal.ts';

/** Every reporter of `lint`, by its name on the command line. */
export const LINT_REPORTERS: readonly LintReporter[] = [terminal, json, sarif, github, markdown];

export { LINT_SCHEMA } from './json.ts';
export type { LintFix, LintReport, ReportedFinding } from '@poundlock/core/internal/finding';
export type { LintReporter } from './reporter.ts';
