// `poundlock/lint`: the package `@poundlock/lint`, where that is installed.
export * from '@poundlock/lint';
