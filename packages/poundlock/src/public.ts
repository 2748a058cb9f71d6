// The face of the package for program texts: kernels, roles, pipelines and the instruction set.
export * from '@poundlock/core';
