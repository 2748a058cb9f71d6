// What `eslint-plugin-poundlock` needs of the package beside its public interface.
export type { LocatedFinding } from './lint.ts';
export type { ClassicFile } from './typescript/six.ts';
export { ProgramLint } from './program-lint.ts';
