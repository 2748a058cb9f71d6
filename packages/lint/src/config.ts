// Reads the part `lint` of the nearest configuration.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { InputError, option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import type { OptionValue } from '@poundlock/core/internal/base';
import { configFileOf, filesOfGlob } from '@poundlock/core/internal/host';
import { LINT, requireLintOptions, type LintOptions } from './lint.ts';

/** The part `lint` of a configuration file, `poundlock.config.ts`. */
export type LintConfig = Pick<LintOptions, (typeof KEYS)[number]>;

const KEYS = [
  'presets',
  'optIn',
  'models',
  'tags',
  'tagged',
  'declarations',
  'heuristics',
  'sound',
] as const;
const CONFIG = optionTable({
  lint: option.checkedLater<LintConfig>(),
  /** What `poundlock check` reads. */
  check: option.checkedLater<object>(),
});
const LINT_CONFIG = optionTable(
  Object.fromEntries(KEYS.map((key) => [key, LINT.values[key] as OptionValue<unknown>])),
);

/**
 * The nearest configuration file in a directory or above it, or `undefined`.
 *
 * @example
 * import { findConfig } from 'poundlock/lint';
 *
 * console.log(findConfig('/') ?? 'none'); // none
 */
export function findConfig(directory: string): string | undefined {
  return configFileOf(directory);
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
  type Whole = { lint?: LintConfig };
  let module: Whole & { default?: Whole; poundlock?: Whole };
  try {
    module = load(path) as typeof module;
  } catch (error) {
    throw new InputError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const part = basename(path) === 'package.json' ? module.poundlock : module.default;
  const whole = part ?? module;
  if (part !== undefined) requireOptions(path, CONFIG, whole);
  const { lint: config = {} } = whole;
  requireOptions(`${path}: lint`, LINT_CONFIG, config);
  requireLintOptions(config);
  const { declarations, sound } = config;
  return {
    ...config,
    ...(declarations && { declarations: filesNamed('declarations', declarations, path) }),
    ...(sound && { sound: filesNamed('sound', sound, path) }),
  };
}

/** The files that the patterns of a configuration file name, from its directory on. */
function filesNamed(key: string, patterns: readonly string[], configFile: string): string[] {
  const directory = dirname(configFile);
  return patterns.flatMap((pattern) => {
    const path = resolve(directory, pattern);
    const files = existsSync(path) ? [path] : filesOfGlob(pattern, directory);
    if (files === undefined || files.length === 0) {
      throw new InputError(`${configFile}: lint.${key} names no file: ${pattern}`);
    }
    return files.map((file) => resolve(directory, file));
  });
}
