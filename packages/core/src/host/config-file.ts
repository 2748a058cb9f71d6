// Where the configuration of a project is.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isThere } from './files.ts';

const NAMES = [
  'poundlock.config.ts',
  'poundlock.config.mts',
  'poundlock.config.js',
  'poundlock.config.mjs',
];

/**
 * The nearest configuration in a directory or above it: a module of its own, or a package.json with
 * a part `poundlock`; `undefined` without one.
 */
export function configFileOf(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = NAMES.map((name) => join(folder, name)).find((path) => isThere(path));
    if (file !== undefined) return file;
    const manifest = join(folder, 'package.json');
    if (isThere(manifest) && hasPart(manifest)) return manifest;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a manifest has a part of that name; one that is no JSON has none. */
function hasPart(manifest: string): boolean {
  try {
    const text = readFileSync(manifest, 'utf8');
    const { poundlock } = JSON.parse(text) as { poundlock?: unknown };
    return typeof poundlock === 'object' && poundlock !== null;
  } catch {
    return false;
  }
}
