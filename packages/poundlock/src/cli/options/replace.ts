// --replace KERNEL=FILE.ptx: kernels of a command that run from another PTX text.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, type Host } from '@poundlock/core/internal/host';
import { findEntry } from '@poundlock/ptx/internal/kernel/entry';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';

/** The most kernels that are replaced. */
const MAX_REPLACEMENTS = 16;

/**
 * Reads the option: PTX files by the whole names of their kernels.
 *
 * @throws InputError where a file has no such kernel, or cannot stand in for the module of one.
 */
export function readReplacements(
  words: readonly string[],
  host: Pick<Host, 'cwd'>,
): Map<string, string> {
  const found = new Map<string, string>();
  if (words.length > MAX_REPLACEMENTS)
    throw new InputError(`--replace: at most ${MAX_REPLACEMENTS} kernels`);
  for (const word of words) {
    const at = word.indexOf('=');
    const [kernel, file] = [word.slice(0, at), word.slice(at + 1)];
    if (at <= 0 || file === '') throw new InputError(`--replace ${word}: write KERNEL=FILE.ptx`);
    const path = resolve(host.cwd, file);
    const shown = fileName(path, host.cwd);
    const module = parsePtx(
      atFile(shown, () => readFileSync(path, 'utf8')),
      shown,
    );
    const { name } = findEntry(module, kernel);
    const variable = module.variables.find(({ space }) => space === 'global');
    // The program writes to the variables of its own module.
    if (variable !== undefined)
      throw new InputError(
        `--replace ${word}: ${shown} has the variable ${variable.name} in global memory, which ` +
          'would be another one than that of the program',
      );
    found.set(name, path);
  }
  return found;
}
