// Runs the command that is recorded: its input, output and signals are those of this process.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { InputError } from '@poundlock/core/internal/base';
import { systemMessage, type Host } from '@poundlock/core/internal/host';

/** Shells report the end by a signal as this and the number of the signal. */
const SIGNALED = 128;
const FORWARDED = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command to its end and returns its exit code.
 *
 * @throws InputError where it cannot be started.
 */
export async function runCommand(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  host: Host,
): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: host.cwd, env, stdio: 'inherit' });
  // Ctrl-C reaches both processes: what was recorded until then is collected.
  const stopListening = host.onInterrupt(() => undefined);
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => {
        reject(new InputError(`cannot run ${program}: ${systemMessage(error)}`));
      });
      child.on('exit', (code, signal) => {
        resolve(code ?? SIGNALED + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    stopListening();
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}
