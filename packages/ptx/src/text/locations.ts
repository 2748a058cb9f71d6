// `.loc` and `.file`: where the user's source has an instruction, and through which inlined calls.
import type { SourceLocation } from './module.ts';

const LOC = /^\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:[^]*?\binlined_at\s+(\d+)\s+(\d+)\s+(\d+))?/;
const FILE = /^\.file\s+(\d+)\s+"((?:[^"\\]|\\.)*)"/;

/** The source locations of a function in the order of its `.loc` lines. */
export class Locations {
  /** The location of the next instruction. */
  current: SourceLocation | null = null;
  // The latest location of each place: a later `inlined_at` of that place continues its chain.
  readonly #latest = new Map<string, SourceLocation>();

  /** Reads a `.loc` line. */
  read(line: string): void {
    const match = LOC.exec(line);
    if (match === null) return;
    const [, file, row, column, atFile, atRow, atColumn] = match;
    const inlinedAt = atFile === undefined ? null : this.#place(atFile, atRow!, atColumn!);
    this.current = { file: Number(file), line: Number(row), column: Number(column), inlinedAt };
    this.#latest.set(`${file} ${row} ${column}`, this.current);
  }

  #place(file: string, line: string, column: string): SourceLocation {
    const known = this.#latest.get(`${file} ${line} ${column}`);
    return (
      known ?? { file: Number(file), line: Number(line), column: Number(column), inlinedAt: null }
    );
  }
}

/** Reads a `.file` line: its number and path, or `undefined`. */
export function sourceFile(line: string): readonly [number, string] | undefined {
  const match = FILE.exec(line);
  return match === null ? undefined : [Number(match[1]), match[2]!];
}
