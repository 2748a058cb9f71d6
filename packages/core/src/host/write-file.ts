// Writes a file atomically.
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { InputError } from '../base/index.ts';
import { systemMessage } from './system-error.ts';

function cannotWrite(file: string, reason: string): InputError {
  return new InputError(`cannot write ${file}: ${reason}`);
}

/** Throws an InputError now when `file` could not be written after a long search. */
export function mustBeWritable(file: string, cwd: string): void {
  const path = resolve(cwd, file);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    const reason = systemMessage(error).replace('no such file', 'no such directory');
    throw cannotWrite(file, reason);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw cannotWrite(file, 'is a directory');
  }
}

/** Writes beside `file`, then renames. */
export function writeAtomically(file: string, cwd: string, text: string): void {
  const path = resolve(cwd, file);
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw cannotWrite(file, systemMessage(error));
  }
}
