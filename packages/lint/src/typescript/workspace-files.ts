// A virtual node_modules for monorepos that are not installed: `node_modules/@acme/db` resolves to
// the sources in `packages/db`.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { workspacesOf, type Workspace } from './workspaces.ts';

/** The file system callbacks of TypeScript; `undefined` defers to the disk. */
export interface WorkspaceFiles {
  readonly readFile: (path: string) => string | undefined;
  readonly fileExists: (path: string) => boolean | undefined;
  readonly directoryExists: (path: string) => boolean | undefined;
  readonly realpath: (path: string) => string | undefined;
}

/** The virtual files for the workspaces of some files; `undefined` if nothing is missing. */
export function workspaceFiles(files: readonly string[]): WorkspaceFiles | undefined {
  const workspaces = workspacesOf(files).map(filesOf);
  if (workspaces.length === 0) return undefined;
  const first = <A>(query: (files: WorkspaceFiles) => A | undefined): A | undefined => {
    for (const workspace of workspaces) {
      const answer = query(workspace);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  return {
    readFile: (path) => first((host) => host.readFile(path)),
    fileExists: (path) => first((host) => host.fileExists(path)),
    directoryExists: (path) => first((host) => host.directoryExists(path)),
    realpath: (path) => first((host) => host.realpath(path)),
  };
}

const PACKAGE = /^((?:@[^/]+\/)?[^/@][^/]*)(?:\/(.*))?$/;

function filesOf({ root, packages }: Workspace): WorkspaceFiles {
  const links = `${root}/node_modules`;
  const scopes = new Set([...packages.keys()].map((name) => `${links}/${name.split('/')[0]}`));
  const manifests = new Map<string, string>();
  for (const [name, { directory, manifest }] of packages) {
    manifests.set(`${directory}/package.json`, manifest);
    manifests.set(`${links}/${name}/package.json`, manifest);
  }
  /** The source file for a path below `node_modules`. */
  const real = (path: string): string | undefined => {
    if (!path.startsWith(`${links}/`)) return undefined;
    const [, name = '', inside = ''] = PACKAGE.exec(path.slice(links.length + 1)) ?? [];
    const workspace = packages.get(name);
    return workspace && join(workspace.directory, inside);
  };
  return {
    readFile: (path) => manifests.get(path),
    fileExists: (path) => {
      if (manifests.has(path)) return true;
      const file = real(path);
      return file === undefined ? undefined : isFile(file);
    },
    directoryExists: (path) => {
      if (path === links || scopes.has(path)) return true;
      const directory = real(path);
      return directory === undefined ? undefined : existsSync(directory);
    },
    realpath: real,
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
