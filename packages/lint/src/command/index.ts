// The implementation of `poundlock lint`: from file names to a report.
export { discover } from './discover.ts';
export { lintOnce, type LintRequest } from './session.ts';
