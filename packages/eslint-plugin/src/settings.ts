// How to analyse: `poundlock.config.ts`, as the command line reads it, and `settings.poundlock`.
import { dirname } from 'node:path';
import type { Rule } from 'eslint';
import { findConfig, readConfig, type LintOptions } from '@poundlock/lint';

interface Settings {
  /** Calls to functions that nothing is known of may throw, too. */
  readonly strict?: boolean;
}

/** The configuration file of each directory that was met. */
const configFiles = new Map<string, string | undefined>();
/** The same options for the same configuration: analyses are kept by them. */
const known = new Map<string, LintOptions>();

/** The options for the file at hand, always the same object for the same configuration. */
export function optionsFor({ filename, settings }: Rule.RuleContext): LintOptions {
  const directory = dirname(filename);
  if (!configFiles.has(directory)) configFiles.set(directory, findConfig(directory));
  const configFile = configFiles.get(directory);
  const { strict = false } = (settings['poundlock'] ?? {}) as Settings;
  const key = `${strict}:${configFile}`;
  const options = known.get(key) ?? { ...readConfig(configFile), strict };
  known.set(key, options);
  return options;
}
