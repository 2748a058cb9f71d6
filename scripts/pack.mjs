// Packs every package that is published, with the manifest that users get:
// node scripts/pack.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { publishedOf } from './workspaces.mjs';

const ROOT = join(import.meta.dirname, '..');

/** The tarballs in a folder: the name of each package, the path of its file, and what is in it. */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'poundlock-pack-'));
  try {
    const published = publishedOf(ROOT);
    const names = published.flatMap(({ manifest }) => ['--workspace', manifest.name]);
    const listed = npmPack(ROOT, ['--dry-run', ...names]);
    for (const { folder: from, manifest } of published) {
      const { files } = listed.find(({ name }) => name === manifest.name);
      copyPackage(join(ROOT, from), join(stage, from), files, publishedManifest(manifest));
    }
    const workspaces = published.map(({ folder: from }) => from);
    writeJson(join(stage, 'package.json'), { private: true, workspaces });
    const packed = npmPack(stage, ['--workspaces', '--pack-destination', resolve(folder)]);
    return packed.map(({ name, filename, files, unpackedSize }) => ({
      name,
      file: join(folder, filename),
      files,
      unpackedSize,
    }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * The manifest that users get. `engines` of packages that need Node 24 are in `publishConfig`:
 * `npm ci` of this repository works on an older Node, and would warn there of each package.
 */
export function publishedManifest({ publishConfig, ...manifest }) {
  const { engines = manifest.engines, ...config } = publishConfig ?? {};
  const isEmpty = Object.keys(config).length === 0;
  return { ...manifest, engines, ...(isEmpty ? {} : { publishConfig: config }) };
}

function copyPackage(from, to, files, manifest) {
  for (const { path } of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(from, path), join(to, path), { dereference: true });
  }
  writeJson(join(to, 'package.json'), manifest);
}

/** What npm reports of the packages. Without scripts: `prepare` would build anew. */
function npmPack(cwd, words) {
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', ...words],
    { ...options, maxBuffer: Infinity },
  );
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  return Object.values(JSON.parse(stdout));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.main) {
  for (const { file } of packAll(process.argv[2] ?? join(ROOT, 'dist', 'packages')))
    process.stdout.write(`${file}\n`);
}
