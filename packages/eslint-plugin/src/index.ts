// The plugin: a rule for each diagnostic of `poundlock lint`, and two presets.
/**
 * The rules of `poundlock lint` for ESLint.
 *
 * @module eslint-plugin-poundlock
 */
import { readFileSync } from 'node:fs';
import type { Linter, Rule } from 'eslint';
import { LINT_RULES, type LintRule } from '@poundlock/lint';
import { linearRule, ruleFor } from './rule.ts';

const { name, version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { name: string; version: string };

const NAMESPACE = 'poundlock';

/** The type of the plugin. */
export interface Plugin {
  /** Name and version. */
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  /** A rule for each diagnostic of `poundlock lint`, and `linear`, the sound tier. */
  readonly rules: Readonly<Record<LintRule | 'linear', Rule.RuleModule>>;
  /**
   * Presets: `recommended` reports what is certain, `strict` also what an unknown call may cause.
   */
  readonly configs: Readonly<Record<'recommended' | 'strict', Linter.Config>>;
}

const meta = { name, version, namespace: NAMESPACE };
const rules = {
  ...Object.fromEntries(LINT_RULES.map((rule) => [rule, ruleFor(rule)])),
  linear: linearRule(),
} as Plugin['rules'];

/** Files without types are excluded: a project's JavaScript is not linted. */
const TYPESCRIPT = ['**/*.{ts,tsx,mts,cts}'];

function preset(name: keyof Plugin['configs'], strict: boolean): Linter.Config {
  return {
    name: `${NAMESPACE}/${name}`,
    files: TYPESCRIPT,
    plugins: { [NAMESPACE]: { meta, rules } },
    settings: { [NAMESPACE]: { strict } },
    rules: Object.fromEntries(LINT_RULES.map((rule) => [`${NAMESPACE}/${rule}`, 'error'])),
  };
}

/**
 * The plugin: handles that must be released exactly once on every path, as rules of ESLint.
 *
 * @example
 * // eslint.config.js
 * import { defineConfig } from 'eslint/config';
 * import poundlock from 'eslint-plugin-poundlock';
 * import tseslint from 'typescript-eslint';
 *
 * export default defineConfig(tseslint.configs.base, poundlock.configs.recommended, {
 *   files: ['src/**'],
 *   languageOptions: { parserOptions: { projectService: true } },
 * });
 */
const plugin: Plugin = {
  meta,
  rules,
  configs: { recommended: preset('recommended', false), strict: preset('strict', true) },
};

export default plugin;
