// The names of the GPU models, by which the command line and the library choose one.

/** A new model is a name here, a file beside this one, and the entry that the compiler asks for. */
export const MODEL_NAMES = ['h200', 'b200', 'abstract'] as const;
/** The name of a GPU model. */
export type ModelName = (typeof MODEL_NAMES)[number];
