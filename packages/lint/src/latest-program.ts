// A world outlives the program that it was made of: while files change, it asks the newest.
import type { SourceProgram } from './typescript/program.ts';

/** A program that hands every question on to the one that `newest` answers at the time. */
export function latestProgram(first: SourceProgram, latest: () => SourceProgram): SourceProgram {
  return {
    ...first,
    oracle: {
      symbols: (nodes) => latest().oracle.symbols(nodes),
      types: (nodes) => latest().oracle.types(nodes),
    },
    text: (path) => latest().text(path),
    read: (path) => latest().read(path),
  };
}
