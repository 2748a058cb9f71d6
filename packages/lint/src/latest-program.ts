// A world outlives the program that it was made of: while files change, it asks the newest.
import type { SourceProgram } from './typescript/program.ts';

/** A program that hands every question on to the one that `newest` answers at the time. */
export function askingNewest(first: SourceProgram, newest: () => SourceProgram): SourceProgram {
  return {
    ...first,
    oracle: {
      symbols: (nodes) => newest().oracle.symbols(nodes),
      types: (nodes) => newest().oracle.types(nodes),
    },
    text: (path) => newest().text(path),
    read: (path) => newest().read(path),
  };
}
