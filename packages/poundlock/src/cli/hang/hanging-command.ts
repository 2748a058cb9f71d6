// Runs a command whose GPU may hang: records its launches, and triggers the dump of each process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '@poundlock/core/internal/base';
import { systemMessage, type Host } from '@poundlock/core/internal/host';
import { collect, compileLibrary, privateFolder, readCopies } from '../../record/index.ts';
import { compilerCaches, recordedEnvironment, thisMachine } from '../recording-environment.ts';
import { dumpsIn, dumpVariables, pipesIn, triggerDump, whenWritten } from './trigger.ts';

/** What a command that hung left behind. */
export interface HangingRun {
  readonly dumps: readonly string[];
  /** The folder of recorded launches; `null` where nothing was recorded. */
  readonly recorded: string | null;
  /** The exit code of the command; `null` while it still runs. */
  readonly code: number | null;
}

/** How long the command may take to end after its dump. */
const END_MS = 5000;
const LAUNCHES = 32;
const NO_COPIES = readCopies([], []);

/**
 * Runs a command in which the dump of a hang is triggered.
 *
 * @param afterMs When that is done by itself; `null`: when the user presses Ctrl-\.
 */
export async function runHanging(
  command: readonly string[],
  folder: string,
  afterMs: number | null,
  host: Host,
): Promise<HangingRun> {
  privateFolder(folder);
  const recording = join(folder, 'recording');
  mkdirSync(recording);
  const env = { ...recordingEnvironment(recording, host), ...dumpVariables(realpathSync(folder)) };
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: host.cwd, env, stdio: 'inherit' });
  let code: number | null = null;
  const ended = once(child, 'exit').then(([status]) => void (code = (status as number) ?? 1));
  const failed = once(child, 'error').then(([error]) => {
    throw new InputError(`cannot run ${program}: ${systemMessage(error)}`);
  });
  const stopListening = host.onInterrupt(() => undefined);
  const stop = new AbortController();
  try {
    await Promise.race([ended, failed, wanted(afterMs, stop.signal)]);
    const pipes = code === null ? pipesIn(folder) : [];
    const isTriggered = pipes.map(triggerDump).includes(true);
    if (code === null && !isTriggered)
      host.stderr.write('poundlock: no process of the command uses the GPU\n');
    const isOver = (): boolean => code !== null || !isTriggered;
    const dumps = await whenWritten(() => dumpsIn(folder), host.now, isOver);
    await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
    if (code === null) child.kill('SIGTERM');
    return { dumps, recorded: collected(recording, folder, host), code };
  } finally {
    stop.abort();
    stopListening();
  }
}

/** The environment with the library of `record`; without it where it cannot be compiled. */
function recordingEnvironment(recording: string, host: Host): Record<string, string | undefined> {
  try {
    const library = compileLibrary(thisMachine(host.env));
    const settings = { library, folder: recording, launches: LAUNCHES, copies: NO_COPIES };
    return recordedEnvironment(host.env, { ...settings, kernel: undefined, follow: false });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    host.stderr.write(`poundlock: launches are not recorded: ${error.message}\n`);
    return { ...host.env };
  }
}

function collected(recording: string, folder: string, host: Host): string | null {
  const out = join(folder, 'recorded');
  try {
    mkdirSync(out);
    const caches = compilerCaches(host.env);
    const sources = realpathSync(host.cwd);
    const options = { recording, out, sources, caches, launches: LAUNCHES, all: true };
    const { kernels } = collect({ ...options, kernel: undefined, copies: NO_COPIES });
    return kernels.length === 0 ? null : out;
  } catch (error) {
    host.stderr.write(`poundlock: launches are not recorded: ${systemMessage(error)}\n`);
    return null;
  }
}

/** When the dump is wanted: after a time, or at Ctrl-\. */
async function wanted(afterMs: number | null, signal: AbortSignal): Promise<void> {
  const pressed = once(process, 'SIGQUIT', { signal });
  const waits: Promise<unknown>[] = [pressed];
  if (afterMs !== null) waits.push(sleep(afterMs, undefined, { signal }));
  try {
    await Promise.race(waits);
  } catch (error) {
    // The command has ended before.
    if (!signal.aborted) throw error;
  }
}
