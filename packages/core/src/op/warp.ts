// How many threads of a GPU run together.

/** Threads of a warp (CUDA programming guide, "SIMT architecture"). */
export const WARP = 32;
