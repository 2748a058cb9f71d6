// The real process, as the host of the command line.
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import type { Host, Output } from '@poundlock/core/internal/host';
import { oversee } from './overseer.ts';

const DEFAULT_COLUMNS = 80;

function output(stream: NodeJS.WriteStream): Output {
  // `poundlock … | head` closes the output: not an error.
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
