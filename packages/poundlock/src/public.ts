// The public interface of `poundlock`, for kernel files: that of `@poundlock/core`.
/**
 * Describes kernels: roles that run concurrently, the pipelines and barriers between them, and the
 * operations that the roles perform. Everything here is that of `@poundlock/core`.
 *
 * @module poundlock
 */
export * from '@poundlock/core';
