// The packages of the workspace, as package.json of the root lists their folders.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Each package of a checkout: its folder, from the root on, and its manifest. */
export function workspacesOf(root) {
  return globSync(readJson(join(root, 'package.json')).workspaces, { cwd: root })
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => folder.replaceAll('\\', '/'))
    .sort()
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, 'package.json')) }));
}

/** Those that are published. */
export function publishedOf(root) {
  return workspacesOf(root).filter(({ manifest }) => manifest.private !== true);
}
