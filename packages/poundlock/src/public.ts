// The public interface of `poundlock`, for kernel files: that of `@poundlock/core`.
/**
 * Describes kernels: roles that run concurrently, the pipelines and barriers between them, and the
 * operations that the roles perform. Everything here is that of `@poundlock/core`.
 *
 * Examples without imports and without `return` are the body of a role, with these declarations:
 *
 * ```ts
 * const bar = barrier('bar');
 * const tile = buffer('tile', { bytes: 128 });
 * const flag = cell('flag');
 * const tmem = pool('tmem', { capacity: 512 });
 * ```
 *
 * Examples with `return` are the callback of a kernel.
 *
 * @module poundlock
 */
export * from '@poundlock/core';
