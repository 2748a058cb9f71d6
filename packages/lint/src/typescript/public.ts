// Programs of TypeScript 7 for `lint`: a separate entry point, because it loads the compiler.
export { LiveSeven, type FileChanges } from './live-seven.ts';
export { textOf, TypeScriptSeven } from './seven.ts';
