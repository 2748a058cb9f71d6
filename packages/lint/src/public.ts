// The public interface of `@poundlock/lint`: lint the programs of a TypeScript compiler.
/**
 * Checks TypeScript sources for handles that are not released exactly once on every path.
 *
 * @module @poundlock/lint
 */
export {
  LINT_RULES,
  titleOf,
  type Edit,
  type Fix,
  type LintRule,
} from '@poundlock/core/internal/finding';
export { rulePageUrl } from '@poundlock/core/internal/finding/rule-page-url';
export { findConfig, readConfig, type LintConfig } from './config.ts';
export { applyEdits, editsTogether } from './fix.ts';
export { lintProgram, type LintFinding, type LintOptions, type LintResult } from './lint.ts';
export { PRESETS, type ModelChoice } from './models/index.ts';
export type { AcquireCall, ModelVia, ResourceModel, TakingFunction } from './models/model.ts';
export type { HeuristicChoice, HeuristicId } from './heuristics/index.ts';
export type { Coverage } from './report/coverage.ts';
export type { TagNotice } from './report/tag-notices.ts';
export type { SoundCoverage } from './sound/tier.ts';
export type { SourceProgram } from './typescript/program.ts';
export { classicProgram } from './typescript/six.ts';
export type { ClassicProgram, ClassicTypeScript } from './typescript/six.ts';
