// Which files a command that checks kernels has read: programs with their imports, PTX, launches.
import { readdirSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { configFileOf, isThere, kindOf, type Host } from '@poundlock/core/internal/host';
import { isBuilt, isSteps } from './load-ptx.ts';
import { programFiles } from './module-graph.ts';

/** What lies beside a kernel as built and is part of it: sources, headers, launch files. */
const PARTS = new Set(['.cu', '.cuh', '.h', '.hpp', '.inl', '.json', '.ptx']);

/** The paths that decide about a command on `words`: files, folders and options that name files. */
export function watchedFiles(
  words: readonly string[],
  others: readonly (string | undefined)[],
  { cwd }: Pick<Host, 'cwd'>,
): string[] {
  const config = configFileOf(cwd);
  const named = others.flatMap((other) => (other === undefined ? [] : [resolve(cwd, other)]));
  const paths = words.filter((word) => word !== '-').map((word) => resolve(cwd, word));
  return [
    ...new Set([...paths.flatMap(filesOf), ...named, ...(config === undefined ? [] : [config])]),
  ];
}

function filesOf(path: string): string[] {
  if (kindOf(path, path) === 'folder') return partsIn(path, true);
  if (isSteps(path)) return [path];
  if (isBuilt(path)) return [path, ...partsIn(dirname(path), false)];
  return isThere(path) ? programFiles(realpathSync(path)) : [path];
}

/** The parts of kernels in a folder. */
function partsIn(folder: string, isDeep: boolean): string[] {
  if (!isThere(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: isDeep })
    .filter((entry) => entry.isFile() && PARTS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}
