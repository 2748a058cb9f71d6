// `npm run setup:runtimes`: installs the oldest Node, Bun and Deno, on which the tests of the
// release tier run the ring.
import { join } from 'node:path';
import { installIn, isInstalledIn, report } from '../../scripts/install.ts';

/** The programs, each with the words before the name of a module; `null` without an installation. */
export function installedRuntimes(): Readonly<Record<string, readonly string[]>> | null {
  if (!isInstalledIn(import.meta.dirname)) return null;
  const modules = join(import.meta.dirname, 'node_modules');
  return {
    'Node 20.19': [join(modules, 'node', 'bin', 'node')],
    Bun: [join(modules, '.bin', 'bun')],
    Deno: [join(modules, '.bin', 'deno'), 'run', '--allow-all', '--no-config'],
  };
}

if (import.meta.main) {
  report('runtimes', installIn(import.meta.dirname));
}
