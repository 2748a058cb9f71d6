// The files of a wheel: the package of Python, and the packages of npm that it starts.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { publishedManifest } from '../pack.mjs';
import { dataclassesOf } from './dataclasses.mjs';

const OWN = ['poundlock', 'core', 'dialects', 'ptx', 'ring'];
const MODULES = 'poundlock/_js/node_modules';
/** What nothing loads: types, pages, and builds for browsers. */
const NOT_LOADED = /\.(?:d\.[cm]?ts|map|md|markdown)$|(?:^|\/)(?:umd|iife|typings)\//i;

/** Each file by its path in the wheel, without Node and metadata. */
export function packageFiles(root) {
  return { ...pythonFiles(root), ...javaScriptFiles(root) };
}

function pythonFiles(root) {
  const home = join(root, 'python');
  const schema = JSON.parse(readFileSync(join(root, 'docs', 'schema', 'report.json'), 'utf8'));
  const files = filesBelow(home, ['poundlock/**']);
  return {
    ...Object.fromEntries(files.map((path) => [path, readFileSync(join(home, path))])),
    'poundlock/documents.py': Buffer.from(dataclassesOf(schema)),
  };
}

function javaScriptFiles(root) {
  const folders = OWN.map((name) => join(root, 'packages', name));
  const manifests = folders.map(manifestOf);
  const names = new Set(manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
  const own = folders.flatMap((folder, index) => {
    const manifest = manifests[index];
    const patterns = manifest.files.map((path) => `${path}/**`);
    const text = `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`;
    return [
      [`${MODULES}/${manifest.name}/package.json`, Buffer.from(text)],
      ...copied(folder, manifest.name, [...patterns, 'LICENSE']),
    ];
  });
  for (const { name } of manifests) names.delete(name);
  const others = [...names].toSorted().flatMap((name) => {
    const folder = join(root, 'node_modules', name);
    const { dependencies = {} } = manifestOf(folder);
    if (Object.keys(dependencies).length > 0)
      throw new Error(`${name} has dependencies, which the wheel would lack`);
    return copied(folder, name, ['**']);
  });
  return Object.fromEntries([...own, ...others]);
}

function copied(folder, name, patterns) {
  return filesBelow(folder, patterns)
    .filter((path) => !NOT_LOADED.test(path) && !path.startsWith('node_modules/'))
    .map((path) => [`${MODULES}/${name}/${path}`, readFileSync(join(folder, path))]);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Files in an order that no file system decides. */
function filesBelow(folder, patterns) {
  return globSync(patterns, { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(?:^|\/)__pycache__\//.test(path))
    .toSorted();
}
