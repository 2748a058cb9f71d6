// The face of the library for program texts: see docs.
export * from './index.ts';
