// The public interface of `@poundlock/lint/typescript7`, apart because it loads the compiler.
/**
 * Programs of TypeScript 7, to be linted by `@poundlock/lint`.
 *
 * @module @poundlock/lint/typescript7
 */
export { TypeScriptSeven, type ParseError } from './seven.ts';
