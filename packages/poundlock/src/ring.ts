// `poundlock/ring`: the package `@poundlock/ring`, which contains no kernel checker.
/**
 * Ring buffers of stages between worker threads: everything of `@poundlock/ring`.
 *
 * @module poundlock/ring
 */
export * from '@poundlock/ring';
