// The instruction set as functions: `yield*` performs a blocking operation, others are issued.
export * from './barrier-operations.ts';
export * from './memory-operations.ts';
export type * from './operation-options.ts';
export * from './role-operations.ts';
export * from './unit-operations.ts';
