// What travels through a farm: jobs, the texts of their programs, and results, all as text.

/** A job; equal jobs have one id, and are run once. */
export interface FarmJob {
  /** The hash of the job. */
  readonly id: string;
  /** The job as JSON. */
  readonly body: string;
  /** The hash of its program's text. */
  readonly program: string;
  /** Whether the program is code, which only workers run that trust it. */
  readonly isCode: boolean;
  /** How long it may run, in milliseconds: its worker ends it then. No limit unless specified. */
  readonly limitMs?: number;
}

/** The text of a program, which jobs name by its hash. */
export interface FarmProgram {
  /** The hash of its text. */
  readonly sha256: string;
  /** The program as JSON. */
  readonly body: string;
}

/** What came of a job: its result as text, or why it failed on its last try. */
export type FarmResult =
  | { readonly id: string; readonly result: string }
  | { readonly id: string; readonly failure: string };

/** How often a job is tried before it fails. */
export const MAX_TRIES = 3;

/** A job as a worker is handed it. */
export interface FarmTask extends Pick<FarmJob, 'id' | 'body' | 'limitMs'> {
  /** The program as JSON. */
  readonly program: string;
}

/**
 * A failure that another try would repeat: the job fails at once, with its message.
 *
 * @example
 * import { FinalError, type RunJob } from '@poundlock/farm';
 *
 * const run: RunJob = async ({ body, limitMs = 60_000 }) => {
 *   if (limitMs < 1_000) throw new FinalError('no job takes less than a second');
 *   return body.toUpperCase();
 * };
 * console.log(await run({ id: 'a', body: 'text', program: '{}' })); // TEXT
 */
export class FinalError extends Error {}
