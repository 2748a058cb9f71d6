// --csv, --json and --html: where the results of a sweep are written beside the terminal.
import { InputError } from '@poundlock/core/internal/base';
import type { RunTimeline } from '@poundlock/core/internal/finding';
import { mustBeWritable, writeAtomically, type Host } from '@poundlock/core/internal/host';
import {
  sweepCsv,
  sweepJson,
  sweepPage,
  sweepText,
  type SweepReport,
} from '../../report/sweeps/index.ts';
import { paintFor } from '../reporter-environment.ts';

/** A file, or `true` for stdout. */
export interface SweepTargets {
  readonly csv?: string | true;
  readonly json?: string | true;
  readonly html?: string;
}

const FORMATS = ['csv', 'json', 'html'] as const;

type Render = (report: SweepReport, fastest?: RunTimeline) => string;

const RENDER: Readonly<Record<(typeof FORMATS)[number], Render>> = {
  csv: sweepCsv,
  json: sweepJson,
  html: sweepPage,
};

/** Throws before a long sweep if a file cannot be written. */
export function mustBeWritableTargets(targets: SweepTargets, host: Host): void {
  const wanted = FORMATS.flatMap((format) => targets[format] ?? []);
  if (wanted.filter((target) => target === true).length > 1)
    throw new InputError('--csv and --json both write to stdout: give one of them a file');
  for (const file of wanted) if (file !== true) mustBeWritable(file, host.cwd);
}

/** Writes a report; the table goes to stdout unless a document does. A page draws a run, too. */
export function writeSweep(
  report: SweepReport,
  targets: SweepTargets,
  host: Host,
  fastest?: RunTimeline,
): void {
  let isStdoutTaken = false;
  for (const format of FORMATS) {
    const target = targets[format];
    if (target === undefined) continue;
    const text = RENDER[format](report, fastest);
    if (target === true) host.stdout.write(text);
    else writeAtomically(target, host.cwd, text);
    isStdoutTaken ||= target === true;
  }
  if (!isStdoutTaken) host.stdout.write(sweepText(report, paintFor(host.stdout, host.env)));
}
