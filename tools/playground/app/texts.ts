// The texts of a program by their hashes: what was run, and what the editor shows.
import { sha256Of } from '@poundlock/core/internal/base';
import type { TextHash } from '@poundlock/core/internal/finding';
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';

/** The hash of each file. */
export function textsOf(files: readonly SharedFile[]): readonly TextHash[] {
  return files.map(({ name, text }) => ({ file: name, sha256: sha256Of(text) }));
}
