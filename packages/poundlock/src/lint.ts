// `poundlock/lint`: the package `@poundlock/lint`, where it is installed.
/**
 * Checks TypeScript sources for handles that are not released exactly once: everything of
 * `@poundlock/lint`.
 *
 * @module poundlock/lint
 */
export * from '@poundlock/lint';
