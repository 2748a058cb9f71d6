// The implementation of `poundlock lint`: from file names to a report.
export { discover } from './discover.ts';
export { lintOnce, SharedCompiler, type LintRequest } from './session.ts';
