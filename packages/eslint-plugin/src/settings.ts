// The lint options of a file: `poundlock.config.ts` and ESLint's `settings.poundlock`.
import { dirname } from 'node:path';
import type { Rule } from 'eslint';
import { option, optionTable, requireOptions, type OptionsOf } from '@poundlock/core/internal/base';
import { findConfig, readConfig, type LintOptions } from '@poundlock/lint';

const SETTINGS = optionTable({
  /** Treats calls to unknown functions as potentially throwing. */
  strict: option.flag,
});

type Settings = OptionsOf<typeof SETTINGS>;

/** The configuration file of each visited directory. */
const configFiles = new Map<string, string | undefined>();
/** Options by configuration; analyses are cached by these objects. */
const cache = new Map<string, LintOptions>();

/** The options of the current file, always the same object for the same configuration. */
export function optionsFor({ filename, settings }: Rule.RuleContext): LintOptions {
  const directory = dirname(filename);
  if (!configFiles.has(directory)) configFiles.set(directory, findConfig(directory));
  const configFile = configFiles.get(directory);
  const chosen = (settings['poundlock'] ?? {}) as Settings;
  requireOptions('settings.poundlock', SETTINGS, chosen);
  const { strict = false } = chosen;
  const key = `${strict}:${configFile}`;
  const options = cache.get(key) ?? { ...readConfig(configFile), strict };
  cache.set(key, options);
  return options;
}
