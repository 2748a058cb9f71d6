// What a verb is: a new one is a file here and a line in the index.
import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import type { Host } from '@poundlock/core/internal/host';

/**
 * Adds a verb to the command line. `run` is called with what its action answers: the exit code of
 * the process.
 */
export type Verb = (program: Command, host: Host, done: (code: ExitCode) => void) => void;
