// `poundlock/sm100`: Modular's structured kernels for SM100, of the package `@poundlock/dialects`.
/**
 * Modular's structured kernels for SM100: everything of `@poundlock/dialects/sm100`.
 *
 * @module poundlock/sm100
 */
export * from '@poundlock/dialects/sm100';
