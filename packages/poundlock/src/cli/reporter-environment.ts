// The environment of reporters: colors if wanted, and lines of source files.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Host, Output } from '@poundlock/core/internal/host';
import { ANSI, PLAIN, type Paint, type ReporterEnvironment } from '../report/index.ts';
import type { Color } from './options/color.ts';
import { readRulePage } from './rule-pages.ts';

/** --color, then FORCE_COLOR, then NO_COLOR, then whether the output is a terminal with colors. */
export function paintFor(
  output: Output | undefined,
  env: Host['env'],
  color: Color = 'auto',
): Paint {
  if (color !== 'auto') return color === 'always' ? ANSI : PLAIN;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force === '0' || force === 'false' ? PLAIN : ANSI;
  if (env['NO_COLOR']) return PLAIN;
  return output?.isTerminal === true && env['TERM'] !== 'dumb' ? ANSI : PLAIN;
}

/** Narrower widths are taken for none. */
const LEAST_COLUMNS = 20;

/** COLUMNS, then the width of the terminal; what goes elsewhere is not broken. */
function columnsOf(output: Output | undefined, env: Host['env']): number | undefined {
  if (output === undefined) return undefined;
  const { COLUMNS } = env;
  const named = COLUMNS !== undefined && /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
  const columns = named ?? (output.isTerminal ? output.columns : undefined);
  return columns === undefined || columns < LEAST_COLUMNS ? undefined : columns;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    // A source that is gone, or was never a file, is shown without its text.
    return [];
  }
}

/** Reads lines of files that are named relative to `cwd`, each file once. */
function sourceReader(cwd: string): ReporterEnvironment['sourceLine'] {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = files.get(file) ?? linesOf(resolve(cwd, file));
    files.set(file, lines);
    return lines[line - 1];
  };
}

/** How a report is shown. */
export interface Shown {
  readonly schedules?: ReporterEnvironment['schedules'];
  readonly color?: Color | undefined;
  /** The path of a picture of the report. */
  readonly picture?: string | undefined;
}

/** The environment of a reporter that writes to `output`, or to a file where it is `undefined`. */
export function reporterEnvironment(
  host: Pick<Host, 'cwd' | 'env'>,
  output: Output | undefined,
  { schedules = 'hidden', color = 'auto', picture }: Shown = {},
): ReporterEnvironment {
  const paint = paintFor(output, host.env, output === undefined ? 'auto' : color);
  const sourceLine = sourceReader(host.cwd);
  const columns = columnsOf(output, host.env);
  const rest = {
    rulePage: readRulePage,
    ...(picture !== undefined && { picture }),
    ...(columns !== undefined && { columns }),
  };
  return { paint, sourceLine, schedules, ...rest };
}
