// Why a comparison of global memory ends.

/** What is touched of global memory is too much to be compared. */
export class TooMuchMemory extends Error {}

/** Values of stores are asked for that were left out: the runs have to be made with all of them. */
export class ValuesNeeded extends Error {}
