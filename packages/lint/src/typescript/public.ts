// The public interface of `@poundlock/lint/typescript7`, apart because it loads the compiler.
export { TypeScriptSeven } from './seven.ts';
