// Programs of TypeScript 7, as `lint` reads them: a face of its own, because it loads the compiler.
export { LiveSeven, type FileChanges } from './live-seven.ts';
export { textOf, TypeScriptSeven } from './seven.ts';
