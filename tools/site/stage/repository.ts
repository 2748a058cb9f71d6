// The repository that the site shows: its root, its files, its address.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Where files that are no pages of the site are shown. */
export const REPOSITORY = 'https://github.com/poundlock/poundlock';

/** The text of a file, by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n');
}

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** The files that match, as sorted paths from the root. */
export function filesLike(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT })
    .map((path) => path.split(sep).join('/'))
    .toSorted();
}
