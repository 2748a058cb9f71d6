// Compiles every package to its `dist/`, in the order in which they depend on one another, and
// bundles what `poundlock` publishes into its `lib/`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bundleCommand } from './bundle-command.mjs';
import { bundleLibrary, bundleRing } from './bundle-library.mjs';
import { bundlePackages } from './bundles.mjs';
import { bundleExplorer } from './explorer.mjs';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = [
  'packages/core',
  'packages/dialects',
  'packages/ptx',
  'packages/ring',
  'packages/linear',
  'packages/lint',
  'tools/farm',
  'tools/fuzz',
  'packages/poundlock',
  'packages/eslint-plugin',
  'tools/create-poundlock',
];

const wanted = process.argv.slice(2);
const names = PACKAGES.map((path) => basename(path));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`unknown package ${unknown}: one of ${names.join(', ')}`);

for (const path of PACKAGES) {
  const name = basename(path);
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = join(ROOT, path);
  for (const output of ['dist', 'lib'])
    rmSync(join(folder, output), { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
  if (status !== 0) fail(`${path} does not compile`);
  if (name === 'ring') await bundleRing(folder);
  if (name !== 'poundlock') continue;
  await bundlePackages(folder);
  await bundleLibrary(folder);
  await bundleCommand(folder);
  await bundleExplorer(join(folder, 'lib', 'explorer'));
  copyPages(join(folder, 'lib'));
}

/** Pages that verbs print are in the package: the one for agents, and the rules of the semantics. */
function copyPages(lib) {
  const pages = { 'skill/SKILL.md': 'skills/poundlock/SKILL.md' };
  const rules = { 'reference/semantics.md': 'docs/reference/semantics.md' };
  for (const [to, from] of Object.entries({ ...pages, ...rules })) {
    mkdirSync(dirname(join(lib, to)), { recursive: true });
    copyFileSync(join(ROOT, from), join(lib, to));
  }
}

function fail(message) {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}
