// Records which local modules a kernel file consists of: itself and its imports.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnModule } from '@poundlock/core/internal/base';
import { isThere } from '@poundlock/core/internal/host';

/** The most modules that one kernel may be made of (bound `modules`). */
const MAX_MODULES = 10_000;

const imports = new Map<string, Set<string>>();

/** Records that one module imports another; called by the loader for every import. */
export function noteImport(from: string, to: string): void {
  const importer = withoutQuery(from);
  const known = imports.get(importer) ?? new Set();
  known.add(withoutQuery(to));
  imports.set(importer, known);
}

/** A module that is loaded again is the same file. */
function withoutQuery(url: string): string {
  return url.startsWith('file:') ? url.replace(/\?.*$/, '') : url;
}

/** A module of a program and the hash of its text. */
export interface ModuleHash {
  /** Relative to the kernel's folder, with forward slashes. */
  readonly file: string;
  readonly sha256: string;
}

/** A program text on disk. */
export interface ProgramHash {
  /** The hash of all modules and their names. */
  readonly sha256: string;
  readonly modules: readonly ModuleHash[];
}

/** The hash of a kernel file alone, as in the hash of its program; `null` if it does not exist. */
export function entryHash(path: string): ModuleHash | null {
  if (!isThere(path) || !statSync(path).isFile()) return null;
  return { file: basename(path), sha256: sha256(readFileSync(path)) };
}

/** Hashes the kernel file at `path`, which was loaded, with every local module that it imports. */
export function programHash(path: string): ProgramHash {
  const folder = dirname(path);
  const modules = localModules(pathToFileURL(path).href).map((url) => {
    const file = relative(folder, fileURLToPath(url)).split(sep).join('/');
    return { file, sha256: sha256(readFileSync(fileURLToPath(url))) };
  });
  modules.sort((one, other) => (one.file < other.file ? -1 : 1));
  const all = modules.map(({ file, sha256: hash }) => `${hash}  ${file}\n`).join('');
  return { sha256: sha256(all), modules };
}

/**
 * The kernel file at `path`, which was loaded, and every module that it imports with those of
 * packages, as paths; a package also has the manifest that finds it.
 */
export function modulesOf(path: string): string[] {
  const entry = pathToFileURL(realpathSync(path)).href;
  const found = reachable(entry, (url) => url.startsWith('file:') && !isOwnModule(url));
  const paths = found.map((url) => fileURLToPath(url));
  const manifests = paths.flatMap((each) => manifestOf(each) ?? []);
  return [...new Set([...paths, ...manifests])];
}

/** The nearest manifest of a module in a package. */
function manifestOf(path: string): string | null {
  const most = path.lastIndexOf(`${sep}node_modules${sep}`);
  if (most < 0) return null;
  for (let folder = dirname(path); folder.length > most + 14; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (isThere(manifest)) return manifest;
  }
  return null;
}

/** The files of the program at `path`, which was loaded: itself first, then its imports. */
export function programFiles(path: string): string[] {
  return localModules(pathToFileURL(path).href).map((url) => fileURLToPath(url));
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A module and its imports, without packages and Node's own modules. */
function localModules(entry: string): string[] {
  return reachable(entry, isLocal);
}

/** A module and what it imports, as far as that is wanted. */
function reachable(entry: string, isWanted: (url: string) => boolean): string[] {
  const found = [entry];
  for (let at = 0; at < found.length && found.length < MAX_MODULES; at++) {
    for (const url of imports.get(found[at]!) ?? []) {
      if (isWanted(url) && !found.includes(url)) found.push(url);
    }
  }
  return found;
}

function isLocal(url: string): boolean {
  // The modules of poundlock itself are determined by its version.
  if (!url.startsWith('file:') || isOwnModule(url)) return false;
  return !url.includes('/node_modules/');
}
