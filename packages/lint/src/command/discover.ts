// Expands the files, directories and globs of a command line.
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { entriesOf, filesOfGlob, kindOf } from '@poundlock/core/internal/host';

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor']);

/** More files than this are refused. */
export const MAX_FILES = 200_000;

/** The source files that an argument of the command line names. */
function filesOf(pattern: string, cwd: string): string[] {
  const path = resolve(cwd, pattern);
  const kind = kindOf(path, pattern);
  if (kind === 'file') {
    if (SOURCE.test(path)) return [path];
    throw new InputError(`${pattern}: is not a TypeScript or JavaScript file`);
  }
  if (kind === 'folder') return filesBelow(path, pattern);
  const files = filesOfGlob(pattern, cwd);
  if (files !== undefined) {
    return files
      .filter((path) => isSource(path) && !/(^|[\\/])node_modules[\\/]/.test(path))
      .map((path) => resolve(cwd, path));
  }
  if (kind === null) throw new InputError(`${pattern}: no such file`);
  throw new InputError(`${pattern}: is neither a file nor a directory`);
}

function isSource(path: string): boolean {
  return SOURCE.test(path) && !DECLARATIONS.test(path);
}

function filesBelow(directory: string, shown: string): string[] {
  const files: string[] = [];
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of entriesOf(next, shown)) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) pending.push(path);
      } else if (entry.isFile() && isSource(entry.name)) files.push(path);
      if (files.length > MAX_FILES) throw new InputError(`more than ${MAX_FILES} files`);
    }
  }
  return files;
}

/**
 * The files that the arguments name, each once, in order.
 *
 * @throws InputError for an argument that matches no file.
 */
export function discover(patterns: readonly string[], cwd: string): string[] {
  const files = patterns.flatMap((pattern) => {
    const files = filesOf(pattern, cwd);
    if (files.length === 0)
      throw new InputError(`${pattern}: contains no TypeScript or JavaScript files`);
    return files;
  });
  return [...new Set(files)].sort();
}
