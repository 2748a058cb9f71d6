// A program as a backend offers it: its files as trees of ours, and an oracle for its types.
import type { TypeOracle } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';

export interface SourceProgram {
  /** The files that were asked for, of those that belong to it. */
  readonly asked: readonly string[];
  /** Its tsconfig.json; empty or a made-up name when it has none. */
  readonly configFile: string;
  readonly oracle: TypeOracle;
  /** Every file of the program, libraries included. */
  readonly fileNames: () => readonly string[];
  /** The text of a file, which is cheaper than reading it. */
  readonly text: (path: string) => string;
  readonly read: (path: string) => SourceFile | undefined;
}
