// Triggers the core dump of a process that hangs, and waits until it is written.
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '@poundlock/core/internal/base';
import { entriesOf, systemMessage } from '@poundlock/core/internal/host';

/** The variables that make the driver wait for a trigger, and where it writes. */
export function dumpVariables(folder: string): Record<string, string> {
  return {
    CUDA_ENABLE_USER_TRIGGERED_COREDUMP: '1',
    CUDA_ENABLE_COREDUMP_ON_EXCEPTION: '1',
    CUDA_COREDUMP_PIPE: `${folder}/${PIPE}%p`,
    CUDA_COREDUMP_FILE: `${folder}/${CORE}%p`,
    CUDA_COREDUMP_GENERATION_FLAGS: 'skip_nonrelocated_elf_images,skip_local_memory,skip_abort',
  };
}

const PIPE = 'pipe.';
const CORE = 'core.';

/** How often a file is looked at, how long it has to stay as it is, and how long that may take. */
const POLL_MS = 200;
const STABLE_MS = 1200;
const MAX_WAIT_MS = 120_000;

/** The pipes in a folder: one for each process that uses the GPU. */
export function pipesIn(folder: string): string[] {
  return filesIn(folder, PIPE);
}

/** The core dumps in a folder. */
export function dumpsIn(folder: string): string[] {
  return filesIn(folder, CORE);
}

function filesIn(folder: string, start: string): string[] {
  const names = entriesOf(folder, folder).map(({ name }) => name);
  return names.filter((name) => name.startsWith(start)).map((name) => resolve(folder, name));
}

/** Writes to a pipe; `false` where no process reads from it. */
export function triggerDump(pipe: string): boolean {
  let descriptor: number;
  try {
    // Without this flag, opening a pipe that nothing reads from never returns.
    descriptor = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    writeSync(descriptor, '\n');
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Waits until files are written; those that are. `isOver` ends the wait for what has not begun. */
export async function whenWritten(
  files: () => readonly string[],
  now: () => number,
  isOver: () => boolean,
): Promise<string[]> {
  const start = now();
  let [before, since] = ['', start];
  while (now() - start < MAX_WAIT_MS) {
    const found = files().filter((file) => sizeOf(file) > 0);
    const sizes = found.map((file) => `${file} ${sizeOf(file)}`).join('\n');
    if (sizes !== before) [before, since] = [sizes, now()];
    const isStable = now() - since > STABLE_MS;
    if (isStable && (found.length > 0 || isOver())) return found;
    await sleep(POLL_MS);
  }
  return files().filter((file) => sizeOf(file) > 0);
}

/** Where a process that runs waits for its trigger, and where it writes. */
export interface DumpPlaces {
  readonly pipe: string;
  readonly file: string;
}

/**
 * The places of a process, by its environment.
 *
 * @throws InputError where it is none, or was started without the variables.
 */
export function placesOfProcess(pid: number): DumpPlaces {
  let text: string;
  let cwd: string;
  try {
    text = readFileSync(`/proc/${pid}/environ`, 'utf8');
    cwd = readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    throw new InputError(`--pid ${pid}: ${systemMessage(error)}`);
  }
  const variables = new Map(
    text.split('\0').map((each): [string, string] => {
      const at = each.indexOf('=');
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
  const pipe = variables.get('CUDA_COREDUMP_PIPE');
  const file = variables.get('CUDA_COREDUMP_FILE');
  const isOn = variables.get('CUDA_ENABLE_USER_TRIGGERED_COREDUMP') === '1';
  if (!isOn || pipe === undefined || file === undefined)
    throw new InputError(
      `--pid ${pid}: it was started without CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1, ` +
        'CUDA_COREDUMP_PIPE and CUDA_COREDUMP_FILE',
    );
  const named = (name: string): string =>
    resolve(cwd, name.replaceAll('%p', String(pid)).replaceAll('%h', hostname()));
  return { pipe: named(pipe), file: named(file) };
}
