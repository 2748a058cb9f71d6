// The settings of the extension, and the poundlock that it starts.
import { workspace, type Uri } from 'vscode';
import { findServer } from './find-server.ts';

/** How poundlock is started: the Node, and the script of the package. */
export interface Installed {
  readonly node: string;
  readonly bin: string;
}

/** The folders of the workspace that are on a disk. */
export function foldersOf(): string[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

/** The poundlock of the workspace, or the configured one; `undefined` where there is none. */
export function installed(): Installed | undefined {
  const settings = workspace.getConfiguration('poundlock');
  const bin = findServer(foldersOf(), settings.get('server', ''));
  return bin === undefined ? undefined : { node: settings.get('node', 'node'), bin };
}

/** The folder that commands run in: that of the workspace which has the file. */
export function folderFor(file: Uri): string | undefined {
  return workspace.getWorkspaceFolder(file)?.uri.fsPath;
}
