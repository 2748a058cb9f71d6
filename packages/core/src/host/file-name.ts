// How files are named to the user: relative to the working directory, with forward slashes.
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file path or file URL; anything else stays as it is. */
export function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/** `file` (a path or a file URL) relative to `cwd`; what is no file keeps its name. */
export function fileName(file: string, cwd: string): string {
  const path = pathOf(file);
  if (/^[a-z]{2,}:/.test(path)) return path;
  const name = relative(cwd, resolve(cwd, path));
  return (name === '' ? '.' : name).split(sep).join('/');
}

/**
 * Names files as the user does: `entry` keeps its name, also when that is a link, because modules
 * know only the targets of links.
 */
export function fileNamer(entry: string, cwd: string): (file: string) => string {
  const entryName = fileName(resolve(cwd, entry), cwd);
  const real = realpathSync(resolve(cwd, entry));
  return (file) => (pathOf(file) === real ? entryName : fileName(file, cwd));
}

/** The folder that all of these paths are in. */
export function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]!);
  while (!paths.every((path) => path.startsWith(folder + sep)) && folder !== dirname(folder))
    folder = dirname(folder);
  return folder;
}
