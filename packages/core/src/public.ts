// What program texts import: kernels, roles, pipelines and the instruction set.
export * from './pipeline/public.ts';
export { barrier, buffer, cell, count, end, kernel, launch, loop } from './program/index.ts';
export { pool, role } from './program/index.ts';
export type { LaunchOptions } from './program/index.ts';
export type { Barrier, Buffer, Cell, Count, Kernel, Pool, Role } from './program/index.ts';
export type { KernelOptions, KernelOwnership, View, Work } from './program/index.ts';
export * from './program/operations.ts';
export { UNITS, type Op, type Unit } from './op/index.ts';
export type { Parameters, ParameterValue } from './finding/index.ts';
