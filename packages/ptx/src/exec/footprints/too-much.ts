// The end of a comparison that takes too long.

/** What is touched of global memory is too much to be compared. */
export class TooMuchMemory extends Error {}
