// The process that the command line runs in, as data that is handed down: tests bring their own.
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { oversee } from './overseer.ts';

/** Where text goes to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The width of the terminal. */
  readonly columns: number;
}

export interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since some start. */
  readonly now: () => number;
  /** Lets timers and signals run. */
  readonly pause: () => Promise<void>;
  /** Calls back at the first Ctrl-C, the second one ends the process; returns how to stop that. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** Calls back when nothing is left to wait for; returns how to stop that. */
  readonly onIdle: (callback: () => void) => () => void;
  /** From now on somebody else's code runs in this thread, which may never come back. */
  readonly oversee: () => void;
}

const DEFAULT_COLUMNS = 80;

function output(stream: NodeJS.WriteStream): Output {
  // `poundlock … | head` closes our output: no reason to complain.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? DEFAULT_COLUMNS,
  };
}

function once(event: 'SIGINT' | 'beforeExit') {
  return (callback: () => void) => {
    process.once(event, callback);
    return () => void process.removeListener(event, callback);
  };
}

/** The real process. */
export function processHost(): Host {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    now: () => performance.now(),
    pause: () => setImmediate(),
    onInterrupt: once('SIGINT'),
    onIdle: once('beforeExit'),
    oversee: () => oversee(process.cwd()),
  };
}
