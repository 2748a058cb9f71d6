// Installs what the release tier needs beside the packages of the workspace: `npm run setup`.
// If that is not possible, it reports why. Tests that need the tool are then skipped; where CI=true,
// that would fail the release tier, so that the setup fails at once.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The programs that a tool consists of, each by its possible names; modules that the first of them
 * has to import; and Debian's packages.
 */
const TOOLS = {
  browser: {
    programs: [['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']],
    packages: ['chromium'],
  },
  graphviz: { programs: [['dot']], packages: ['graphviz'] },
  neovim: { programs: [['nvim']], packages: ['neovim'] },
  postgresql: { programs: [['initdb']], packages: ['postgresql'] },
  python: {
    programs: [['/usr/bin/python3', 'python3']],
    modules: ['ensurepip', 'pytest', 'xdist'],
    packages: ['python3', 'python3-venv', 'python3-pytest', 'python3-pytest-xdist'],
  },
  redis: { programs: [['redis-server', 'valkey-server']], packages: ['redis-server'] },
  spin: { programs: [['spin'], ['gcc']], packages: ['spin', 'gcc', 'libc6-dev'] },
};
const INSTALL_TIMEOUT_MS = 240_000;
const isRoot = process.getuid?.() === 0;
/** A runner's user may become root without a password. */
const isCI = process.env.CI === 'true';

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in TOOLS));
if (unknown !== undefined) {
  process.stderr.write(`setup: no tool ${unknown}: one of ${Object.keys(TOOLS).join(', ')}\n`);
  process.exit(2);
}
// Packages of npm come from another place than the tools: both are fetched at once.
const folders = names.length === 0 ? ['site', 'registry', 'runtimes'].map(installPackages) : [];
const missing = [];
for (const name of names.length === 0 ? Object.keys(TOOLS) : names) {
  const { isThere, message } = install(TOOLS[name]);
  process.stdout.write(`setup: ${name}: ${message}\n`);
  if (!isThere) missing.push(name);
}
for (const { folder, code } of await Promise.all(folders)) if (code !== 0) missing.push(folder);
if (isCI && missing.length > 0) {
  process.stderr.write(`setup: missing, and needed where CI=true: ${missing.join(', ')}\n`);
  process.exit(1);
}

async function installPackages(folder) {
  const words = [join(import.meta.dirname, '..', 'tools', folder, 'install.ts')];
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
  return { folder, code };
}

function install({ programs, modules = [], packages }) {
  const found = programs.map((names) => names.map(pathOf).find((path) => path !== undefined));
  if (!found.includes(undefined) && imports(found[0], modules))
    return { isThere: true, message: `found ${found.join(' and ')}` };
  const words = ['install', '--no-install-recommends', ...packages];
  const byHand = `apt-get install ${packages.join(' ')}`;
  if (!(isRoot || isCI) || pathOf('apt-get') === undefined) {
    const message = `missing; its tests are skipped (install it with \`${byHand}\`)`;
    return { isThere: false, message };
  }
  // The package lists may be missing or outdated.
  const isThere = aptGet(words) || (aptGet(['update']) && aptGet(words));
  const message = isThere ? 'installed' : `\`${byHand}\` failed; its tests are skipped`;
  return { isThere, message };
}

function imports(python, modules) {
  if (modules.length === 0) return true;
  return spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0;
}

function pathOf(program) {
  if (program.startsWith('/')) return isProgram(program) ? program : undefined;
  // Debian puts the programs of PostgreSQL into no folder of the path.
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    ...globSync('/usr/lib/postgresql/*/bin'),
  ];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function aptGet(words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, timeout: INSTALL_TIMEOUT_MS };
  const command = [...(isRoot ? [] : ['sudo', '-nE']), 'apt-get'];
  const [program, ...before] = [...command, '-y', '-o', 'DPkg::Lock::Timeout=60'];
  return spawnSync(program, [...before, ...words], options).status === 0;
}
