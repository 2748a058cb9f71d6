// Which poundlock an editor starts: the one that a folder has installed, so that the editor and the
// command line say the same.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The start script of the package in a directory. */
function binIn(directory: string): string | undefined {
  const bin = join(directory, 'bin', 'poundlock.js');
  return existsSync(bin) ? bin : undefined;
}

/**
 * The start script of the server: of `given`, a directory of the package, or else of the first folder
 * that has it installed, at its root or above.
 */
export function findServer(folders: readonly string[], configured: string): string | undefined {
  if (configured !== '') return binIn(configured);
  for (const folder of folders) {
    try {
      const manifest = createRequire(join(folder, 'a.js')).resolve('poundlock/package.json');
      const found = binIn(join(manifest, '..'));
      if (found !== undefined) return found;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
