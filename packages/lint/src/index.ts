// The private index of the package: its public interface, and what its own folders use beside it.
export * from './public.ts';
export { LiveLint } from './live.ts';
export type { LocatedFinding } from './lint.ts';
export type { Hover } from './report/hover.ts';
export { positionOf } from './messages.ts';
export type { MemberQuery, TypeOracle } from './oracle.ts';
export { ProgramLint } from './program-lint.ts';
