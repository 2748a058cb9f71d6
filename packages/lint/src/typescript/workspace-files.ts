// Shows TypeScript the packages of a monorepo where an installation would have linked to them:
// `node_modules/@acme/db` is `packages/db`, and its entry is its source.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { workspacesOf, type Workspace } from './workspaces.ts';

/** What TypeScript asks of files; `undefined` is for the disk to answer. */
export interface WorkspaceFiles {
  readonly readFile: (path: string) => string | undefined;
  readonly fileExists: (path: string) => boolean | undefined;
  readonly directoryExists: (path: string) => boolean | undefined;
  readonly realpath: (path: string) => string | undefined;
}

/** What the workspaces of some files add to the disk; `undefined` where nothing is missing. */
export function workspaceFiles(files: readonly string[]): WorkspaceFiles | undefined {
  const workspaces = workspacesOf(files).map(filesOf);
  if (workspaces.length === 0) return undefined;
  const first = <A>(query: (files: WorkspaceFiles) => A | undefined): A | undefined => {
    for (const each of workspaces) {
      const answer = query(each);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  return {
    readFile: (path) => first((each) => each.readFile(path)),
    fileExists: (path) => first((each) => each.fileExists(path)),
    directoryExists: (path) => first((each) => each.directoryExists(path)),
    realpath: (path) => first((each) => each.realpath(path)),
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
  /** The file of a package that a path below `node_modules` means. */
  const real = (path: string): string | undefined => {
    if (!path.startsWith(`${links}/`)) return undefined;
    const [, name = '', inside = ''] = PACKAGE.exec(path.slice(links.length + 1)) ?? [];
    const found = packages.get(name);
    return found && join(found.directory, inside);
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
