// The part of `poundlock.config.ts` that `lint` reads, from the nearest directory above.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../base/index.ts';
import type { Model } from '../../lint/index.ts';
import { messageOf } from '../failure.ts';

export interface LintConfig {
  /** Groups of resource models; without it, all of them. */
  readonly presets?: readonly string[];
  /** Ids of models that are off unless they are asked for. */
  readonly optIn?: readonly string[];
  /** Models of your own. */
  readonly models?: readonly Model[];
  /** Tags for declarations that have none: `{ 'Pool.take': '@returnsOwned' }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Packages whose declarations carry tags. */
  readonly tagged?: readonly string[];
}

const NAMES = [
  'poundlock.config.ts',
  'poundlock.config.mts',
  'poundlock.config.js',
  'poundlock.config.mjs',
];
const KEYS = new Set(['presets', 'optIn', 'models', 'tags', 'tagged']);

/** The nearest configuration file at or above a directory. */
export function findConfig(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const found = NAMES.map((name) => join(at, name)).find((path) => existsSync(path));
    if (found !== undefined || dirname(at) === at) return found;
  }
}

/**
 * Reads `lint` of a configuration's default export.
 *
 * @throws InputError for a module that fails, and for words that mean nothing.
 */
export async function readConfig(path: string | undefined): Promise<LintConfig> {
  if (path === undefined) return {};
  let module: { default?: { lint?: LintConfig } };
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    throw new InputError(`${path}: ${messageOf(error)}`);
  }
  const config = module.default?.lint ?? {};
  const unknown = Object.keys(config).find((key) => !KEYS.has(key));
  if (unknown === undefined) return config;
  throw new InputError(`${path}: lint has no ${unknown}: there are ${[...KEYS].join(', ')}`);
}
