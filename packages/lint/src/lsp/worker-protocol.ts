// The messages between the language server and its analysis thread.
import type { Hover, LocatedFinding } from '../index.ts';
import type { FileChanges } from '../typescript/live-seven.ts';

export type WorkerRequest =
  /** A buffer that is open in the editor, or its new contents. */
  | {
      readonly kind: 'buffer';
      readonly path: string;
      readonly text: string;
      readonly version: number;
    }
  | { readonly kind: 'close'; readonly path: string }
  /** Files on the disk. */
  | { readonly kind: 'files'; readonly changes: FileChanges }
  | { readonly kind: 'stop' };

export type AnalysisReport =
  | {
      readonly kind: 'found';
      readonly path: string;
      /** The version of the analyzed buffer. */
      readonly version: number;
      readonly findings: readonly LocatedFinding[];
      /** What its variables with handles show. */
      readonly hovers: readonly Hover[];
      /** After a full analysis: the command line would report the same. */
      readonly isSettled: boolean;
    }
  /** A function could not be analyzed (an internal error), or a configuration failed to load. */
  | { readonly kind: 'failed'; readonly path: string; readonly message: string };

/** The settings of the client. */
export interface ServerSettings {
  /** The first open folder, TypeScript's working directory. */
  readonly root: string;
  /** As `poundlock lint --strict`. */
  readonly strict: boolean;
  /** As `poundlock lint --baseline FILE`, relative to the root. */
  readonly baseline: string | undefined;
}
