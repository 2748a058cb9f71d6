// Program texts: kernels, roles and operations, and the ways in which engines drive them.
export { currentRole, post, type Posted, type RoleContext } from './context.ts';
export { Cursor, type Segment } from './cursor.ts';
export { currentDeclarations, requireCount, type DeclaredRing } from './declarations.ts';
export { barrier, buffer, cell, count, pool } from './declare.ts';
export type { Barrier, BarrierOptions, Buffer, Cell, Count, Pool } from './declare.ts';
export { StageHandle } from './handle.ts';
export { isKernel, kernel, resolveParameters, type Kernel } from './kernel.ts';
export { end, loop, type Carried, type End } from './loop.ts';
export { NondeterminismError } from './nondeterminism.ts';
export { NodeKind, type Nodes } from './nodes.ts';
export { Operation, operation } from './operation.ts';
export * from './operations.ts';
export { misuseOf, type Misuse, type Owned } from './ownership.ts';
export { Program } from './program.ts';
export { Resolver } from './resolve.ts';
export { role, type Role, type RoleOptions } from './role.ts';
export type { StepId, Steps } from './steps.ts';
export { Unfolding } from './unfolding.ts';
