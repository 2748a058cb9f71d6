// The real process, as the host of the command line.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemMessage, type Host, type Output } from '@poundlock/core/internal/host';
import { ExitCode } from './exit-code.ts';
import type { Guard } from './guard.ts';
import { endProcess } from './traps.ts';

const DEFAULT_COLUMNS = 80;
// A program text must not replace them.
const { stdout, stderr } = process;
const clock = performance;
const now = clock.now.bind(clock);
const usage = process.cpuUsage.bind(process);

/** The first error of an output. `poundlock … | head` closes the output: not an error. */
let failure: Error | undefined;

function output(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    // The window may change.
    get columns() {
      return stream.columns ?? DEFAULT_COLUMNS;
    },
  };
}

function once(event: 'SIGINT' | 'beforeExit') {
  return (callback: () => void) => {
    process.once(event, callback);
    return () => void process.removeListener(event, callback);
  };
}

/** Waits until everything is written, and ends the process. */
export async function endWith(code: number): Promise<void> {
  await Promise.all([flushed(stdout), flushed(stderr)]);
  if (failure === undefined) return endProcess(code);
  stderr.write(`poundlock: cannot write the output: ${systemMessage(failure)}\n`);
  await flushed(stderr);
  endProcess(ExitCode.couldNotRun);
}

/** Resolves once what was written is out, or can not be. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve();
  return new Promise((resolve) => void stream.write('', () => setImmediate(resolve)));
}

/** The real process. */
export function processHost(): Host {
  const cwd = process.cwd();
  // Loaded with the first work that calls a program text: help and version have none.
  let guard: Guard | undefined;
  let loading: Promise<Guard> | undefined;
  return {
    cwd,
    env: process.env,
    stdout: output(stdout),
    stderr: output(stderr),
    now,
    cpuNow: () => {
      const { user, system } = usage();
      return (user + system) / 1000;
    },
    readInput: () => readFileSync(0, 'utf8'),
    pause: () => nextTurn(),
    onInterrupt: once('SIGINT'),
    onIdle: once('beforeExit'),
    guarded: async (file, work, timeoutMs) => {
      loading ??= import('./guard.ts').then((module) => new module.Guard(cwd));
      guard = await loading;
      return guard.run(file, work, timeoutMs);
    },
    lateFailures: () => guard?.lateFailures() ?? [],
  };
}
