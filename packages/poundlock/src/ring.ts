// `poundlock/ring`: the package `@poundlock/ring`, which brings no kernels along.
export * from '@poundlock/ring';
