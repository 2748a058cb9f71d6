// The interface of a verb: a new one is a file in this folder and an entry in the index.
import type { Command } from 'commander';
import type { Host } from '@poundlock/core/internal/host';

/**
 * Declares the arguments, options and action of a verb on its `command`. The action calls `done`
 * with the exit code of the process; that of `record` is any that its command has.
 */
export type Verb = (command: Command, host: Host, done: (code: number) => void) => void;
