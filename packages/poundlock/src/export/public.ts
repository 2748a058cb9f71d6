// The face of the exports as a library, in Node or a browser.
export { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS, exportKernel, FORMATS } from './index.ts';
export type { ExportOptions, Format } from './index.ts';
