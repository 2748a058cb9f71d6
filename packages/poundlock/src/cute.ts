// `poundlock/cute`: the pipelines of CuTe DSL and CUTLASS, of the package `@poundlock/dialects`.
/**
 * The pipeline classes of CuTe DSL and CUTLASS C++: everything of `@poundlock/dialects/cute`.
 *
 * @module poundlock/cute
 */
export * from '@poundlock/dialects/cute';
