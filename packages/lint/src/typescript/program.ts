// The interface of a program to the backends: lowered files, and an oracle for types.
import type { TypeOracle } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';

/** The files of a project and their types, to be linted: see {@link classicProgram}. */
export interface SourceProgram {
  /** The requested files that belong to it. */
  readonly requested: readonly string[];
  /** Its tsconfig.json; empty or a generated name if it has none. */
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
  /**
   * The syntax trees of declaration files that are not in the program.
   *
   * @internal
   */
  readonly parse: (paths: readonly string[]) => SourceFile[];
}
