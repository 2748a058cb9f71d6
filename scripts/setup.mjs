// Installs what tests need beside npm packages: `npm run setup:browser`, `npm run setup:spin`.
// If that is not possible, it reports why; the tests that need the tool are then skipped.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that a tool consists of, each by its possible names, and Debian's packages. */
const TOOLS = {
  browser: {
    programs: [['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']],
    packages: ['chromium'],
  },
  spin: { programs: [['spin'], ['gcc']], packages: ['spin', 'gcc', 'libc6-dev'] },
};
const INSTALL_TIMEOUT_MS = 240_000;

for (const name of process.argv.slice(2)) {
  const tool = TOOLS[name];
  if (tool === undefined) {
    process.stderr.write(`setup: no tool ${name}: one of ${Object.keys(TOOLS).join(', ')}\n`);
    process.exit(2);
  }
  process.stdout.write(`setup: ${name}: ${install(tool)}\n`);
}

function install({ programs, packages }) {
  const found = programs.map((names) => names.map(pathOf).find((path) => path !== undefined));
  if (!found.includes(undefined)) return `found ${found.join(' and ')}`;
  const words = ['install', '--no-install-recommends', ...packages];
  const byHand = `apt-get install ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || pathOf('apt-get') === undefined) {
    return `missing; its tests are skipped (install it with \`${byHand}\`)`;
  }
  // The package lists may be missing or outdated.
  const isDone = aptGet(words) || (aptGet(['update']) && aptGet(words));
  return isDone ? 'installed' : `\`${byHand}\` failed; its tests are skipped`;
}

function pathOf(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
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
  return (
    spawnSync('apt-get', ['-y', '-o', 'DPkg::Lock::Timeout=60', ...words], options).status === 0
  );
}
