// A program that forwards every query to the latest version, while files change in an editor.
import type { SourceProgram } from './typescript/program.ts';

/** A program that forwards every query to the one that `latest` returns at that time. */
export function latestProgram(first: SourceProgram, latest: () => SourceProgram): SourceProgram {
  return {
    ...first,
    oracle: {
      symbols: (nodes) => latest().oracle.symbols(nodes),
      types: (nodes) => latest().oracle.types(nodes),
      shapes: (nodes) => latest().oracle.shapes(nodes),
      hasMember: (query) => latest().oracle.hasMember(query),
    },
    text: (path) => latest().text(path),
    read: (path) => latest().read(path),
  };
}
