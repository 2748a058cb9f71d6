// `poundlock/ptx`: the package `@poundlock/ptx`, kernels as built.
/**
 * Kernels as built, from their PTX: everything of `@poundlock/ptx`.
 *
 * @module poundlock/ptx
 */
import './own-folder.ts';
export * from '@poundlock/ptx';
