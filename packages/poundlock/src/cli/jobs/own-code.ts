// Which poundlock this is: its version, and a hash of its code.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { version } from '../version.ts';

/** How many digits of the hash are part of the version. */
const DIGITS = 12;

let known: string | undefined;

/**
 * `0.1.0+4f2a…`: results of different code are never mixed, even where the version
 * is the same.
 */
export function engineVersion(): string {
  known ??= `${version()}+${codeHash().slice(0, DIGITS)}`;
  return known;
}

function codeHash(): string {
  const own = new URL('../../', import.meta.url);
  // The packages that results depend on, too: their public faces lie beside or in their rooms.
  const core = new URL('.', import.meta.resolve('@poundlock/core'));
  const ptx = new URL('.', import.meta.resolve('@poundlock/ptx'));
  const dialects = new URL('..', import.meta.resolve('@poundlock/dialects/sm100'));
  const hash = createHash('sha256');
  for (const root of [core, ptx, dialects, own].map((url) => fileURLToPath(url))) {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter(isCode).toSorted()) {
      const path = join(root, file);
      hash.update(relative(root, path).split(sep).join('/')).update('\0');
      hash.update(readFileSync(path)).update('\0');
    }
  }
  return hash.digest('hex');
}

/** All modules that a result can depend on: neither what only shows results, nor copies. */
function isCode(file: string): boolean {
  return /(?<!\.d)\.[jt]s$/.test(file) && !/^(?:report|explore|explorer|bundle)[\\/]/.test(file);
}
