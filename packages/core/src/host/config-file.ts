// Where the configuration of a project is.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAMES = [
  'poundlock.config.ts',
  'poundlock.config.mts',
  'poundlock.config.js',
  'poundlock.config.mjs',
];

/** The nearest configuration file in a directory or above it, or `undefined`. */
export function configFileOf(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}
