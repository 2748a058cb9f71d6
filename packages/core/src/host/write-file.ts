// Writes a file: a regular one atomically, anything else, such as a pipe or a device, in place.
import {
  accessSync,
  chmodSync,
  constants,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { threadId } from 'node:worker_threads';
import { InputError } from '../base/index.ts';
import { systemMessage } from './system-error.ts';

/** The most links that are followed from one to the next, as many as Linux follows. */
const MAX_LINKS = 40;
const PERMISSIONS = 0o7777;
/** What a text is called until all of it is there: no name of a file is too long for it. */
const DRAFT = 'poundlock';

function cannotWrite(file: string, reason: string): InputError {
  return new InputError(`cannot write ${file}: ${reason}`);
}

/** Where a path leads to, also if nothing is there yet. */
function targetOf(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      target = resolve(dirname(target), readlinkSync(target));
    } catch {
      return target;
    }
  }
  return target;
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Throws an InputError now when `file` could not be written after a long search. */
export function mustBeWritable(file: string, cwd: string): void {
  try {
    const path = targetOf(resolve(cwd, file));
    const stats = statsOf(path);
    if (stats?.isDirectory() === true) throw cannotWrite(file, 'is a directory');
    if (stats !== undefined) accessSync(path, constants.W_OK);
    if (stats === undefined || stats.isFile()) mustBeFolder(file, dirname(path));
  } catch (error) {
    throw error instanceof InputError ? error : cannotWrite(file, systemMessage(error));
  }
}

/** A regular file is written beside its place. */
function mustBeFolder(file: string, folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = systemMessage(error).replace('no such file', 'no such directory');
    throw cannotWrite(file, reason);
  }
}

/**
 * Writes a regular file beside its place, then renames, so that it is never half written. Links are
 * followed. A pipe or a device stays what it is.
 */
export function writeAtomically(file: string, cwd: string, text: string): void {
  try {
    const path = targetOf(resolve(cwd, file));
    const stats = statsOf(path);
    if (stats !== undefined && !stats.isFile()) return writeFileSync(path, text);
    replaceFile(path, text, stats === undefined ? undefined : stats.mode & PERMISSIONS);
  } catch (error) {
    throw cannotWrite(file, systemMessage(error));
  }
}

/**
 * Makes a file of a text, or leaves everything as it was: errors are the system's. `mode` has its
 * permissions, unless they are those of every new file.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const draft = join(dirname(path), `.${DRAFT}.${process.pid}.${threadId}.tmp`);
  try {
    writeFileSync(draft, text, { mode });
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
