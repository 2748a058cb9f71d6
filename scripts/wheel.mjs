// Builds the wheel of a platform into dist/: npm run wheel [-- --platform linux-arm64] [--node PATH]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadedPart } from './wheel/elf.mjs';
import { packageFiles } from './wheel/files.mjs';
import { metadataFiles, pythonVersion, recordOf } from './wheel/metadata.mjs';
import { nodeFile, PLATFORMS } from './wheel/platforms.mjs';
import { zip } from './zip.mjs';

const ROOT = join(import.meta.dirname, '..');
const THIS = `${process.platform}-${process.arch}`;
const BEST_COMPRESSION = 9;
const EXECUTABLE = /^poundlock\/_node\/node(?:\.exe)?$/;

/** The name and the bytes of the wheel of a platform; `node` is the folder of its npm package. */
export function buildWheel(platform, node) {
  const { version, description, homepage } = readJson('packages', 'poundlock', 'package.json');
  const tag = `py3-none-${PLATFORMS[platform].tag}`;
  const readme = readFileSync(join(ROOT, 'python', 'README.md'), 'utf8');
  const about = { version, summary: description, homepage, readme, tag };
  const info = `poundlock-${pythonVersion(version)}.dist-info`;
  const file = nodeFile(platform);
  const binary = readFileSync(join(node, 'bin', file));
  const files = {
    ...packageFiles(ROOT),
    [`poundlock/_node/${file}`]: loadedPart(binary),
    'poundlock/_node/LICENSE': readFileSync(join(node, 'LICENSE')),
    [`${info}/LICENSE`]: readFileSync(join(ROOT, 'LICENSE')),
  };
  for (const [name, text] of Object.entries(metadataFiles(about)))
    files[`${info}/${name}`] = Buffer.from(text);
  files[`${info}/RECORD`] = Buffer.from(recordOf(files, `${info}/RECORD`));
  const modeOf = (name) => (EXECUTABLE.test(name) ? 0o755 : 0o644);
  return {
    name: `poundlock-${pythonVersion(version)}-${tag}.whl`,
    bytes: zip(files, { level: BEST_COMPRESSION, modeOf }),
  };
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
}

/**
 * The folder of the package that has Node for a platform: installed, or fetched by npm into a
 * temporary folder.
 */
export function nodePackage(platform, temporary) {
  const installed = join(ROOT, 'node_modules', 'node');
  const name = PLATFORMS[platform].node;
  for (const folder of [join(installed, 'node_modules', name), join(ROOT, 'node_modules', name)])
    if (existsSync(join(folder, 'bin', nodeFile(platform)))) return folder;
  if (temporary === undefined) throw new Error(`${name} is not installed`);
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const words = ['install', '--no-save', '--force', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', [...words, `${name}@${version}`], {
    cwd: temporary,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail(`npm has no ${name}@${version}: name a folder with --node\n${stderr}`);
  return join(temporary, 'node_modules', name);
}

function fail(message) {
  process.stderr.write(`wheel: ${message}\n`);
  process.exit(2);
}

function main() {
  const options = { platform: { type: 'string' }, node: { type: 'string' } };
  const { platform = THIS, node } = parseArgs({ options }).values;
  if (!Object.hasOwn(PLATFORMS, platform))
    fail(`no platform ${platform}: one of ${Object.keys(PLATFORMS).join(', ')}`);
  if (!existsSync(join(ROOT, 'packages', 'poundlock', 'lib', 'cli', 'main.js')))
    fail('lib/ is not built: npm run build');
  const temporary = mkdtempSync(join(tmpdir(), 'poundlock-wheel-'));
  try {
    const { name, bytes } = buildWheel(platform, node ?? nodePackage(platform, temporary));
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    writeFileSync(join(ROOT, 'dist', name), bytes);
    process.stdout.write(`${join('dist', name)} ${(bytes.length / 1e6).toFixed(1)} MB\n`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) main();
