// Where the configuration of a project is.
import { dirname, join } from 'node:path';
import { isThere } from './files.ts';

const NAMES = [
  'poundlock.config.ts',
  'poundlock.config.mts',
  'poundlock.config.js',
  'poundlock.config.mjs',
];

/** The nearest configuration file in a directory or above it, or `undefined`. */
export function configFileOf(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = NAMES.map((name) => join(folder, name)).find((path) => isThere(path));
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}
