// The launch files below a folder, such as one that `poundlock record` wrote.
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { entriesOf, kindOf } from '@poundlock/core/internal/host';

/** The most launch files of one folder. */
const MAX_FILES = 100_000;
/** How deep the folders may be. */
const MAX_DEPTH = 16;

/** `launch.json`, `launch-2.json`, `kernel.launch.json`. */
const LAUNCH_FILE = /^(?:launch(?:-\d+)?|.*\.launch)\.json$/;

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Replaces folders of launch files by these files. */
export function withoutFolders(words: readonly string[], cwd: string): string[] {
  return words.flatMap((word) => {
    return kindOf(resolve(cwd, word), word) === 'folder' ? launchFilesBelow(word, cwd) : [word];
  });
}

/**
 * The launch files below a folder, in the order of their names.
 *
 * @throws InputError where it has none, or where a bound is reached.
 */
export function launchFilesBelow(folder: string, cwd: string): string[] {
  const files: string[] = [];
  collect(folder, cwd, 0, files);
  if (files.length === 0)
    throw new InputError(
      `${folder}: is a directory without a launch file (launch.json), nothing to check`,
    );
  return files;
}

function collect(folder: string, cwd: string, depth: number, files: string[]): void {
  if (depth > MAX_DEPTH)
    throw new InputError(`${folder}: more than ${MAX_DEPTH} folders in one another`);
  const entries = entriesOf(resolve(cwd, folder), folder);
  // `launch.json` before `launch-2.json`.
  const rank = (name: string): string => name.replace(/^launch\.json$/, 'launch-1.json');
  for (const entry of entries.toSorted((a, b) => byName(rank(a.name), rank(b.name)))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) collect(path, cwd, depth + 1, files);
    else if (entry.isFile() && LAUNCH_FILE.test(entry.name)) files.push(path);
    if (files.length > MAX_FILES)
      throw new InputError(`${folder}: more than ${MAX_FILES} launches`);
  }
}
