// The face of the room: lint programs of TypeScript.
export { applyEdits, editsTogether, type Edit, type Fix } from './fix.ts';
export {
  lintProgram,
  type LintFinding,
  type LintOptions,
  type LintResult,
  type Told,
} from './lint.ts';
export { LiveLint, type LiveOptions } from './live.ts';
export { PRESETS, type ModelChoice } from './models/index.ts';
export type { Acquire, Model } from './models/model.ts';
export type { TypeOracle } from './oracle.ts';
export { LiveSeven, type FileChanges } from './typescript/live-seven.ts';
export type { Program } from './typescript/program.ts';
export { TypeScriptSeven } from './typescript/seven.ts';
export { classicProgram, type ClassicProgram, type ClassicTypeScript } from './typescript/six.ts';
