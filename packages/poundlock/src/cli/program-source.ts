// The text of a program for proofs: its modules without types, and where their imports are.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Kernel, ProgramSource } from '@poundlock/core/internal/program';

/** A kernel with the text of the module at `path`, which declares it, and of its imports. */
export function withSource(
  kernel: Kernel,
  path: string,
  read: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): Kernel {
  if (kernel.reference !== undefined) return kernel;
  const source: ProgramSource = {
    entry: path,
    read: (file) => {
      try {
        const text = read(file);
        return /\.[cm]?ts$/.test(file) ? withoutTypes(text) : text;
      } catch {
        // What cannot be read proves nothing.
        return null;
      }
    },
    resolve: (name, from) =>
      /^\.{0,2}\//.test(name) ? fileURLToPath(new URL(name, pathToFileURL(from))) : null,
  };
  return { ...kernel, source };
}

/** The text of a module as Node runs it, without the remark that this is an experiment. */
export function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
