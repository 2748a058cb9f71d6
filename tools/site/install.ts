// `npm run setup:site`: installs the packages of the site, which the workspace itself does without.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const FOLDER = import.meta.dirname;
/** The lockfile that was installed last. */
const STAMP = join(FOLDER, 'node_modules', '.installed.json');
const INSTALL_TIMEOUT_MS = 300_000;

/** Whether the packages of the lockfile are there. */
export function isInstalled(): boolean {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8');
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock;
}

/** Installs them if they are missing; `undefined`, or why that was not possible. */
export function install(): string | undefined {
  if (isInstalled()) return undefined;
  // Not `npm ci`: it refuses a lockfile without the binaries of other platforms, which not every
  // registry has.
  const words = ['install', '--no-save', '--ignore-scripts', '--prefer-offline'];
  const { status, error, stderr } = spawnSync('npm', words, {
    cwd: FOLDER,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    const last = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    return `\`npm install\` in tools/site failed: ${last}`;
  }
  writeFileSync(STAMP, readFileSync(join(FOLDER, 'package-lock.json'), 'utf8'));
  return undefined;
}

if (import.meta.main) {
  const failure = install();
  process.stdout.write(`setup: site: ${failure ?? 'installed'}\n`);
}
