// Finds the poundlock to start: the one installed in an open folder, so that the editor and the
// command line report the same findings.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The start script of the package in a directory. */
function binIn(directory: string): string | undefined {
  const bin = join(directory, 'bin', 'poundlock.js');
  return existsSync(bin) ? bin : undefined;
}

/**
 * The start script of the server: in `configured`, a directory of the package, or else in the first
 * folder that has the package installed, at its root or above.
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
