// Which modules a kernel file is made of: itself and what it imports, as far as that is local.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnModule } from '@poundlock/core/internal/base';

/** The most modules that one kernel may be made of (bound `modules`). */
export const MAX_MODULES = 10_000;

const imports = new Map<string, Set<string>>();

/** Notes that one module imports another; called by the loader for every import. */
export function noteImport(from: string, to: string): void {
  const known = imports.get(from) ?? new Set();
  known.add(to);
  imports.set(from, known);
}

/** A module of a program and the hash of its text. */
export interface ModuleHash {
  /** Relative to the kernel's folder, with forward slashes. */
  readonly file: string;
  readonly sha256: string;
}

/** A program text as it is on disk. */
export interface ProgramHash {
  /** Of all modules and their names together. */
  readonly sha256: string;
  readonly modules: readonly ModuleHash[];
}

/** The hash of a kernel file alone, as its program's has it; `null` where there is no such file. */
export function entryHash(path: string): ModuleHash | null {
  if (!existsSync(path) || !statSync(path).isFile()) return null;
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

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A module and those that it imports, without packages and what Node brings. */
function localModules(entry: string): string[] {
  const found = [entry];
  for (let at = 0; at < found.length && found.length < MAX_MODULES; at++) {
    for (const url of imports.get(found[at]!) ?? []) {
      if (isLocal(url) && !found.includes(url)) found.push(url);
    }
  }
  return found;
}

function isLocal(url: string): boolean {
  // What poundlock itself consists of follows from its version.
  if (!url.startsWith('file:') || isOwnModule(url)) return false;
  return !url.includes('/node_modules/');
}
