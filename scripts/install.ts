// Installs the packages of a folder that has a lockfile of its own, and that the workspace does
// without.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

const INSTALL_TIMEOUT_MS = 300_000;

/** The lockfile that was installed last. */
function stampOf(folder: string): string {
  return join(folder, 'node_modules', '.installed.json');
}

/** Whether the packages of the lockfile are there. */
export function isInstalledIn(folder: string): boolean {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const stamp = stampOf(folder);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;
}

/** Installs them if they are missing; `undefined`, or why that was not possible. */
export function installIn(folder: string, ...options: readonly string[]): string | undefined {
  if (isInstalledIn(folder)) return undefined;
  // Not `npm ci`: it refuses a lockfile without the binaries of other platforms, which not every
  // registry has.
  const words = ['install', '--no-save', '--prefer-offline', ...options];
  const { status, error, stderr } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    const last = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    return `\`npm install\` in ${basename(folder)}/ failed: ${last}`;
  }
  writeFileSync(stampOf(folder), readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return undefined;
}
