// Expands globs in command-line arguments, since some shells do not.
// Node 20, in which ESLint may load its configuration, has no `globSync`.
import fs from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '../base/index.ts';
import { atFile, kindOf } from './files.ts';

const HAS_STARS = /[*?{[]/;

/** The files that a glob names, in order; `undefined` for a word that is none, or names a file. */
export function filesOfGlob(word: string, cwd: string): string[] | undefined {
  if (!HAS_STARS.test(word)) return undefined;
  if (kindOf(resolve(cwd, word), word) !== null) return undefined;
  return atFile(word, () => fs.globSync(word, { cwd }).sort());
}

/**
 * Words of a command line with their globs replaced by what they name.
 *
 * @throws InputError for a glob that names nothing.
 */
export function withoutGlobs(words: readonly string[], cwd: string): string[] {
  return words.flatMap((word) => {
    const files = filesOfGlob(word, cwd) ?? [word];
    if (files.length === 0) throw new InputError(`${word}: no such file`);
    return files;
  });
}
