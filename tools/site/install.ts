// `npm run setup:site`: installs the packages of the site, which the workspace itself does without.
import { installIn, isInstalledIn, report } from '../../scripts/install.ts';

export const isInstalled = (): boolean => isInstalledIn(import.meta.dirname);

/** Installs them if they are missing; `undefined`, or why that was not possible. */
export const install = (): string | undefined => installIn(import.meta.dirname, '--ignore-scripts');

if (import.meta.main) {
  report('site', install());
}
