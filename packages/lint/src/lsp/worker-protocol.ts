// What the server tells the thread that analyses, and what it hears from it: plain data.
import type { Told } from '../lint.ts';
import type { FileChanges } from '../typescript/live-seven.ts';

export type Order =
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
      /** Of the buffer that was looked at. */
      readonly version: number;
      readonly told: readonly Told[];
      /** Every file was looked at again: the command line would say the same. */
      readonly isSettled: boolean;
    }
  /** A function could not be analysed: a bug of ours, or a configuration that fails. */
  | { readonly kind: 'failed'; readonly path: string; readonly message: string };

/** What the client decides. */
export interface ServerSettings {
  /** The first folder that is open, where TypeScript works. */
  readonly root: string;
  /** As `poundlock lint --strict`. */
  readonly strict: boolean;
  /** As `poundlock lint --baseline FILE`, relative to the root. */
  readonly baseline: string | undefined;
}
