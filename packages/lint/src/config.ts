// Reads the `lint` section of the nearest `poundlock.config.ts`.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { LintOptions } from './lint.ts';

/** The part `lint` of a configuration file, `poundlock.config.ts`. */
export type LintConfig = Pick<LintOptions, 'presets' | 'optIn' | 'models' | 'tags' | 'tagged'>;

const NAMES = [
  'poundlock.config.ts',
  'poundlock.config.mts',
  'poundlock.config.js',
  'poundlock.config.mjs',
];
const KEYS = new Set(['presets', 'optIn', 'models', 'tags', 'tagged']);

/**
 * The nearest configuration file in a directory or above it, or `undefined`.
 *
 * @example
 * import { findConfig } from 'poundlock/lint';
 *
 * console.log(findConfig('/') ?? 'none'); // none
 */
export function findConfig(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}

const load = createRequire(import.meta.url);

/**
 * Reads the part `lint` of a configuration file, synchronously, since rules of ESLint cannot wait.
 *
 * @throws InputError for a module that throws, and for unknown options.
 *
 * @example
 * import { writeFileSync, mkdtempSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readConfig } from 'poundlock/lint';
 *
 * const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'poundlock.config.mjs');
 * writeFileSync(file, `export default { lint: { presets: ['node'] } };`);
 * console.log(readConfig(file).presets); // ["node"]
 */
export function readConfig(path: string | undefined): LintConfig {
  if (path === undefined) return {};
  let module: { lint?: LintConfig; default?: { lint?: LintConfig } };
  try {
    module = load(path) as typeof module;
  } catch (error) {
    throw new InputError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { lint: config = {} } = module.default ?? module;
  const unknown = Object.keys(config).find((key) => !KEYS.has(key));
  if (unknown === undefined) return config;
  throw new InputError(`${path}: unknown key lint.${unknown}; known keys: ${[...KEYS].join(', ')}`);
}
