// Runs the work of a verb: an error that the user can correct becomes a report with a failure.
import { BoundError, InputError, NotTimedError } from '@poundlock/core/internal/base';
import { reportOf, type Parameters } from '@poundlock/core/internal/finding';
import type { Report, ReportedFailure, ReportVerb } from '@poundlock/core/internal/finding';
import {
  asInputError,
  failureLines,
  fileName,
  inputErrorText,
} from '@poundlock/core/internal/host';
import type { Host } from '@poundlock/core/internal/host';
import { exitCodeOf, verdictOfError, type ExitCode } from './exit-code.ts';
import { version } from './version.ts';

/** The report of a verb, and the exit code of the process. */
export interface Attempt<V extends ReportVerb> {
  readonly report: Report<V>;
  readonly code: ExitCode;
}

/**
 * Does the work for one file, within a time if there is one; why it can not run is one line on
 * stderr, and in the report.
 */
export async function attempt<V extends ReportVerb>(
  verb: V,
  file: string,
  host: Host,
  work: () => Promise<Attempt<V>>,
  timeoutMs?: number,
): Promise<Attempt<V>> {
  try {
    return await host.guarded(file, work, timeoutMs);
  } catch (error) {
    const verdict = verdictOfError(error);
    const isBound = error instanceof BoundError || error instanceof NotTimedError;
    const input = isBound ? new InputError(error.message) : asInputError(error);
    if (input === undefined) throw error;
    const shown = fileName(file, host.cwd);
    host.stderr.write(failureLines(isBound ? input : error, host, shown));
    const failure = failureOf(verb, shown, host.cwd, input);
    const result = verdict === undefined ? failure : { ...failure, verdict };
    return { report: reportOf(verb, version(), [{ result }]), code: exitCodeOf(verdict) };
  }
}

/** A file that could not be run, with the position of the error where it is known. */
export function failureOf(
  verb: ReportVerb,
  file: string,
  cwd: string,
  error: InputError | undefined,
  params?: Parameters,
): ReportedFailure {
  const at = error?.position;
  return {
    verb,
    file,
    ...(params !== undefined && { params }),
    ...(at !== undefined && { at: { ...at, file: fileName(at.file, cwd) } }),
    error: error === undefined ? 'internal error (please report)' : inputErrorText(error, cwd),
  };
}
