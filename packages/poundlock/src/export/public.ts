// The public interface of `poundlock/export`, in Node or a browser.
/**
 * Writes a kernel in the language of another tool: Promela, TLA+ or Graphviz.
 *
 * @module poundlock/export
 */
export { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS, exportKernel, FORMATS } from './index.ts';
export type { ExportOptions, Format } from './index.ts';
export type { KernelParameters, Overrides } from '@poundlock/core/internal/program';
