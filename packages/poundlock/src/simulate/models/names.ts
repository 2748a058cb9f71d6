// The names of the GPU models in the command line and the library.

/** A new model is a name here, a file in this folder, and the entry that the compiler requires. */
export const MODEL_NAMES = ['h200', 'h100', 'b200', 'abstract'] as const;
/** The name of a GPU model. */
export type ModelName = (typeof MODEL_NAMES)[number];
