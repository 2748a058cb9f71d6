// Files that the user names: whatever the system refuses is an input error with the name.
import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { InputError } from '../base/index.ts';
import { systemMessage } from './system-error.ts';

/** What is at a path; `null` where nothing is. */
export type FileKind = 'file' | 'folder' | 'other' | null;

/**
 * Does `work` with a file or a folder that the user knows as `shown`; `null` where the report names
 * it anyway.
 */
export function atFile<T>(shown: string | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = systemMessage(error);
    throw new InputError(shown === null ? reason : `${shown}: ${reason}`);
  }
}

/** Whether something is at a path; what this process may not read is not there for it. */
export function isThere(path: string): boolean {
  try {
    return existsSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') return false;
    throw error;
  }
}

/** What is at a path. */
export function kindOf(path: string, shown: string | null): FileKind {
  return atFile(shown, () => {
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) return 'folder';
      return stats.isFile() ? 'file' : 'other';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  });
}

/** The text of a file. */
export function readText(path: string, shown: string): string {
  return atFile(shown, () => readFileSync(path, 'utf8'));
}

/** What a folder has. */
export function entriesOf(path: string, shown: string): Dirent[] {
  return atFile(shown, () => readdirSync(path, { withFileTypes: true }));
}
