// The face of the package: lint programs of TypeScript.
export type { Edit, Fix } from '@poundlock/core/internal/finding';
export { applyEdits, editsTogether } from './fix.ts';
export { LINT_RULES, titleOf, type LintRule } from '@poundlock/core/internal/finding';
export { rulePageUrl } from '@poundlock/core/internal/finding/rule-page-url';
export { findConfig, readConfig, type LintConfig } from './config.ts';
export {
  lintProgram,
  type LintFinding,
  type LintOptions,
  type LintResult,
  type LocatedFinding,
} from './lint.ts';
export { LiveLint } from './live.ts';
export { ProgramLint } from './program-lint.ts';
export { PRESETS, type ModelChoice } from './models/index.ts';
export type { AcquireCall, ResourceModel } from './models/model.ts';
export type { TypeOracle } from './oracle.ts';
export type { SourceProgram } from './typescript/program.ts';
export { positionOf } from './messages.ts';
export { classicProgram } from './typescript/six.ts';
export type { ClassicFile, ClassicProgram, ClassicTypeScript } from './typescript/six.ts';
