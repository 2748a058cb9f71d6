// A program as a backend offers it: its files as trees of ours, and an oracle for its types.
import type { TypeOracle } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';

/** The files of a project and their types, to be linted: see {@link classicProgram}. */
export interface SourceProgram {
  /** The files to lint. */
  readonly asked: readonly string[];
  /** Its tsconfig.json; empty or a made-up name if it has none. */
  readonly configFile: string;
  /**
   * Answers questions about types.
   *
   * @internal
   */
  readonly oracle: TypeOracle;
  /**
   * Every file of the program, libraries included.
   *
   * @internal
   */
  readonly fileNames: () => readonly string[];
  /**
   * The text of a file.
   *
   * @internal
   */
  readonly text: (path: string) => string;
  /**
   * The syntax tree of a file.
   *
   * @internal
   */
  readonly read: (path: string) => SourceFile | undefined;
}
