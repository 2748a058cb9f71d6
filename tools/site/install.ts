// `npm run setup:site`: installs the packages of the site, which the workspace itself does without.
import process from 'node:process';
import { installIn, isInstalledIn } from '../../scripts/install.ts';

export const isInstalled = (): boolean => isInstalledIn(import.meta.dirname);

/** Installs them if they are missing; `undefined`, or why that was not possible. */
export const install = (): string | undefined => installIn(import.meta.dirname, '--ignore-scripts');

if (import.meta.main) {
  process.stdout.write(`setup: site: ${install() ?? 'installed'}\n`);
}
