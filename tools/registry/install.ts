// `npm run setup:registry`: installs a registry of npm and Node 26, with which the test of the
// published packages installs them as users do.
import { join } from 'node:path';
import { installIn, isInstalledIn, report } from '../../scripts/install.ts';

export const isInstalled = (): boolean => isInstalledIn(import.meta.dirname);

/** The folder of the newer Node. */
export const NEWER_NODE = join(import.meta.dirname, 'node_modules', 'node', 'bin');

if (import.meta.main) {
  report('registry', installIn(import.meta.dirname));
}
