// Finds lines of the user's source in PTX: `.loc` is before the instructions of a line.

/** A line of PTX and the place in the source that it belongs to. */
interface Located {
  readonly at: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The places of a PTX text, in its order. */
export function locationsOf(ptx: string): Located[] {
  const lines = ptx.split('\n');
  const files = new Map(
    lines.flatMap((line) => {
      const [, number, name] = /^\s*\.file\s+(\d+)\s+"([^"]*)"/.exec(line) ?? [];
      return number === undefined || name === undefined ? [] : [[number, name] as const];
    }),
  );
  return lines.flatMap((text, index): Located[] => {
    const [, number, line, column] = /^\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)/.exec(text) ?? [];
    if (number === undefined) return [];
    const file = files.get(number) ?? '';
    // What follows is its instruction; numbers of lines start at 1.
    return [{ at: index + 2, file, line: Number(line), column: Number(column) }];
  });
}

/** The line of PTX for a place in the source; the first one that has the place, or `undefined`. */
export function ptxLineOf(
  locations: readonly Located[],
  place: { readonly file: string; readonly line: number; readonly column: number },
): number | undefined {
  const name = place.file.split('/').at(-1)!;
  const own = locations.filter(({ file, line }) => {
    return line === place.line && file.split('/').at(-1) === name;
  });
  return (own.find(({ column }) => column === place.column) ?? own[0])?.at;
}
