// Installs the packages of a folder that has a lockfile of its own, and that the workspace does
// without.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

const INSTALL_TIMEOUT_MS = 300_000;
/** The pauses before further attempts: a registry that does not answer may do so a moment later. */
const PAUSES_MS = [5_000, 20_000, 60_000];

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
  let reason = attempt(folder, options);
  for (const pause of PAUSES_MS) {
    if (reason === undefined) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    reason = attempt(folder, options);
  }
  if (reason !== undefined) return `\`npm install\` in ${basename(folder)}/ failed: ${reason}`;
  writeFileSync(stampOf(folder), readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return undefined;
}

/** Prints what came of `npm run setup:NAME`, and exits with 1 where something is missing. */
export function report(name: string, reason: string | undefined): void {
  process.stdout.write(`setup: ${name}: ${reason ?? 'installed'}\n`);
  if (reason !== undefined) process.exitCode = 1;
}

function attempt(folder: string, options: readonly string[]): string | undefined {
  // Not `npm ci`: it refuses a lockfile without the binaries of other platforms, which not every
  // registry has.
  const words = ['install', '--no-save', '--prefer-offline', ...options];
  const { status, error, stderr } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    shell: process.platform === 'win32',
  });
  return status === 0 ? undefined : (error?.message ?? reasonIn(stderr));
}

/** What npm names as its error, in one line: its last line names a log file. */
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const errors = lines.filter((line) => /^npm (error|ERR!)/u.test(line) && !line.includes('.log'));
  const shown = errors.length === 0 ? lines.slice(-1) : errors.slice(0, 3);
  return shown.map((line) => line.replace(/^npm (error|ERR!) /u, '')).join('; ');
}
