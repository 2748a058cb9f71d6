// tier: release — the package of the extension has what an editor needs, and nothing else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';

const HOME = join(import.meta.dirname, '..');
const SCRIPT = join(HOME, '..', '..', '..', 'scripts', 'vsix.mjs');
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

const { packExtension } = (await import(SCRIPT)) as { packExtension: () => Promise<Buffer> };
const files = unzip(await packExtension());

/** The files of an archive, found by its directory; each has the checksum that it states. */
function unzip(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), END);
  const texts = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(archive.readUInt32LE(at), CENTRAL);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = archive.readUInt32LE(at + 42) + 30 + nameLength;
    const bytes = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    assert.deepEqual(
      [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)],
      [crc32(bytes), bytes.length],
    );
    texts.set(name, bytes.toString('utf8'));
    at += 46 + nameLength;
  }
  assert.equal(at, end);
  return texts;
}

function text(name: string): string {
  return files.get(name) ?? assert.fail(name);
}

const ROOT = join(HOME, '..', '..', '..');
/** The pages that say how the extension is packaged. */
const PAGES = ['docs/how-to/editor.md', 'tools/editors/vscode/README.md'];

for (const page of PAGES)
  test(`the command that ${page} shows writes the archive`, (t) => {
    const [, words = '', name = ''] =
      /npm ci && npm (run vsix -- (\S+\.vsix))/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'poundlock-vsix-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, name);
    const argv = words.replace(name, file).split(' ');
    const shell = process.platform === 'win32';
    const { status, stderr } = spawnSync('npm', argv, { cwd: ROOT, encoding: 'utf8', shell });
    assert.equal(status, 0, stderr);
    assert.deepEqual([...unzip(readFileSync(file)).keys()], [...files.keys()]);
  });

test('the archive has the bundle, the manifests and the texts', () => {
  assert.deepEqual(
    [...files.keys()],
    [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/package.json',
      'extension/README.md',
      'extension/LICENSE.txt',
      'extension/dist/extension.cjs',
    ],
  );
  assert.equal(text('extension/README.md'), readFileSync(join(HOME, 'README.md'), 'utf8'));
});

test('both manifests name the same extension', () => {
  const { name, version, publisher, main, engines, ...more } = JSON.parse(
    text('extension/package.json'),
  );
  assert.ok(files.has(join('extension', main).replaceAll('\\', '/')));
  for (const field of ['devDependencies', 'private', 'scripts']) assert.ok(!(field in more), field);
  const manifest = text('extension.vsixmanifest');
  const identity = `Id="${name}" Version="${version}" Publisher="${publisher}"`;
  for (const part of [identity, `Code.Engine" Value="${engines.vscode}"`])
    assert.ok(manifest.includes(part), part);
  for (const [, path] of manifest.matchAll(/ Path="([^"]+)"/g)) assert.ok(files.has(path!), path);
});

test('the type of each file is stated', () => {
  const types = text('[Content_Types].xml');
  for (const name of [...files.keys()].slice(1)) {
    const [extension] = /\.\w+$/.exec(name) ?? assert.fail(name);
    assert.ok(types.includes(`Extension="${extension}"`), name);
  }
});
