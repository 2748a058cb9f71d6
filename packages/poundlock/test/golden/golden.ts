// Golden files: what the installed command prints, kept beside the tests; UPDATE_GOLDEN=1 rewrites.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a shell, in the root of the repository or another folder: `poundlock check …`. */
export function shell(command: string, cwd = ROOT): Promise<Printed> {
  const line = command.replace(/^poundlock\b/, `"${process.execPath}" "${BIN}"`);
  assert.notEqual(line, command, `${command} starts with poundlock`);
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

/** The names of the program texts in a folder of examples, in order. */
export function namesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.ts'));
  return files.map((file) => file.slice(0, -3)).toSorted();
}

/** The names of the golden files of a room. */
export function goldensIn(room: string): string[] {
  const files = readdirSync(join(import.meta.dirname, room));
  return files.map((file) => file.replace(/\.txt$/, '')).toSorted();
}

/** The text with every elapsed time masked. */
export function masked(text: string): string {
  return text.replace(/(?:\d+ min )?\d+(?:\.\d+)? m?s(?=; followed |$)/gm, '<time>');
}

/** Compares `text` with the golden file `name`, or makes it the golden file. */
export function expectGolden(name: string, text: string): void {
  const path = join(import.meta.dirname, `${name}.txt`);
  if (UPDATE) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, masked(text));
  }
  assert.equal(
    masked(text),
    readFileSync(path, 'utf8'),
    `${name}.txt; UPDATE_GOLDEN=1 rewrites it`,
  );
}
