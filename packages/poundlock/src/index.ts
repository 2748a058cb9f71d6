// The public face for program texts: kernels, roles, pipelines and the raw instruction set.
export * from '@poundlock/core/internal/pipeline';
export {
  barrier,
  buffer,
  cell,
  count,
  end,
  kernel,
  launch,
  loop,
} from '@poundlock/core/internal/program';
export { pool, role } from '@poundlock/core/internal/program';
export type { LaunchOptions } from '@poundlock/core/internal/program';
export type {
  Barrier,
  Buffer,
  Cell,
  Count,
  Kernel,
  Pool,
  Role,
} from '@poundlock/core/internal/program';
export type { KernelOptions, KernelOwnership, View, Work } from '@poundlock/core/internal/program';
export * from '@poundlock/core/internal/program';
export { UNITS, type Op, type Unit } from '@poundlock/core/internal/op';
export type { Parameters, ParameterValue } from '@poundlock/core/internal/finding';
