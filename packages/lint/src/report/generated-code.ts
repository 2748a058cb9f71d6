// Files that a program wrote: findings in them are for the authors of their sources.

/** What bundlers and compilers leave in their output. */
const MARKS = new RegExp(
  '^\\s*(?:var __(?:commonJS|toESM|toCommonJS|copyProps) = |' +
    '/\\*{6}/ (?:var )?__webpack_|//# sourceMappingURL=)|^// @generated\\b',
  'm',
);

/** Whether a file is the output of a bundler, of a compiler, or of a generator that says so. */
export function isGenerated(text: string): boolean {
  return MARKS.test(text);
}
