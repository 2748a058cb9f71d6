// What `poundlock lint` does with files: from their names to a report.
export { discover } from './discover.ts';
export { lintOnce, type LintRequest } from './session.ts';
