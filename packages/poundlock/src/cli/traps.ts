// Keeps a program text from ending the process, from setting its exit code, and from its output.
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { currentPosition, InputError } from '@poundlock/core/internal/base';

/** Called with what a program text did that it must not do. */
export type OnFault = (error: unknown) => void;

type Ending = (...args: unknown[]) => unknown;

/** The functions of `process` that end it, or replace it. */
const ENDINGS = ['exit', 'reallyExit', 'abort', 'kill', '_kill', 'execve'] as const;

/** How long the process may stay after its work, for timers that a program text has left. */
const LINGER_MS = 100;

const own = process as unknown as Record<string, Ending | undefined>;
// A program text finds another function in its place.
const publishExports = syncBuiltinESMExports;
const reallyExit = own['reallyExit']!.bind(process);
let areSet = false;

/** From now on, code of program texts runs in this process. */
export function setTraps(onFault: OnFault): void {
  if (areSet) return;
  areSet = true;
  for (const name of ENDINGS) {
    const original = own[name];
    if (original !== undefined) own[name] = trapped(name, original, onFault);
  }
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  // What a program text prints is no part of a report.
  const { stderr } = process;
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => stderr });
  (console as unknown as { _stdout: unknown })._stdout = stderr;
  publishExports();
}

function trapped(name: string, original: Ending, onFault: OnFault): Ending {
  return (...args) => {
    const isKill = name === 'kill' || name === '_kill';
    const isOther = isKill && Math.abs(Number(args[0])) !== process.pid && args[0] !== 0;
    // Signal 0 only asks whether a process exists.
    if (isOther || (isKill && args[1] === 0)) return original.apply(process, args);
    const error = new InputError(
      `calls process.${name}(): a program text must not end the process`,
      currentPosition(),
    );
    onFault(error);
    throw error;
  };
}

/** Ends the process with `code`, whatever a program text has set or left behind. */
export function endProcess(code: number): void {
  process.exitCode = code;
  if (!areSet) return;
  process.removeAllListeners('exit');
  process.removeAllListeners('beforeExit');
  // A timer of a program text can still set another code.
  process.once('exit', () => process.exitCode === code || reallyExit(code));
  setTimeout(() => reallyExit(code), LINGER_MS).unref();
}
