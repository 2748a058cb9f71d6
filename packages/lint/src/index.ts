// The face of the room: lint programs of TypeScript.
export type { Edit, Fix } from '@poundlock/core/internal/finding';
export { applyEdits, editsTogether } from './fix.ts';
export { LINT_RULES, type LintRule } from '@poundlock/core/internal/finding';
export { pageOf, type Page } from '@poundlock/core/internal/finding/pages';
export { findConfig, readConfig, type LintConfig } from './config.ts';
export {
  lintProgram,
  type LintFinding,
  type LintOptions,
  type LintResult,
  type Told,
} from './lint.ts';
export { LiveLint } from './live.ts';
export { ProgramLint } from './program-lint.ts';
export { PRESETS, type ModelChoice } from './models/index.ts';
export type { Acquire, Model } from './models/model.ts';
export type { TypeOracle } from './oracle.ts';
export { LiveSeven, type FileChanges } from './typescript/live-seven.ts';
export type { Program } from './typescript/program.ts';
export { textOf, TypeScriptSeven } from './typescript/seven.ts';
export { positionOf } from './messages.ts';
export { classicProgram } from './typescript/six.ts';
export type { ClassicFile, ClassicProgram, ClassicTypeScript } from './typescript/six.ts';
