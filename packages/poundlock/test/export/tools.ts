// Tools that the export is for: found on this machine, or installed where that is allowed.
import { spawnSync } from 'node:child_process';

const INSTALL_TIMEOUT_MS = 240_000;

function runs(command: string, ...words: string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).error === undefined;
}

function aptGet(...words: string[]): boolean {
  const options = ['-y', '-o', 'DPkg::Lock::Timeout=60'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const timeout = INSTALL_TIMEOUT_MS;
  return spawnSync('apt-get', [...options, ...words], { env, timeout }).status === 0;
}

/** Installs Debian packages when this is root's machine. */
function install(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !runs('apt-get', '--version')) return;
  const words = ['install', '--no-install-recommends', ...packages];
  // The lists of packages may be missing or old.
  if (!aptGet(...words) && aptGet('update')) aptGet(...words);
}

/** Why SPIN can not be run here, or '' when it can. */
export function missingSpin(): string {
  const missing = () => ['spin', 'gcc'].filter((tool) => !runs(tool, '--version'));
  if (missing().length > 0)
    install(missing().includes('gcc') ? ['spin', 'gcc', 'libc6-dev'] : ['spin']);
  const [tool] = missing();
  return tool === undefined ? '' : `${tool} is missing: apt-get install spin gcc`;
}
