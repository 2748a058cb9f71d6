// The VS Code extension: starts `poundlock lsp` and connects the language client to it.
import { commands, window, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { findServer } from './find-server.ts';

const LANGUAGES = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

let client: LanguageClient | undefined;

function newClient(): LanguageClient | undefined {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const settings = workspace.getConfiguration('poundlock');
  const bin = findServer(folders, settings.get('server', ''));
  if (bin === undefined) {
    void window.showWarningMessage(
      'poundlock is not installed in this workspace: `npm install --save-dev poundlock`, then run ' +
        '"poundlock: Restart the Language Server".',
    );
    return undefined;
  }
  const command = settings.get('node', 'node');
  return new LanguageClient(
    'poundlock',
    'poundlock',
    { command, args: [bin, 'lsp', '--stdio'] },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      initializationOptions: {
        strict: settings.get('strict', false),
        baseline: settings.get('baseline', ''),
      },
      synchronize: { configurationSection: 'poundlock' },
    },
  );
}

async function start(): Promise<void> {
  client = newClient();
  try {
    await client?.start();
  } catch (error) {
    void window.showErrorMessage(`poundlock cannot be started: ${String(error)}`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = commands.registerCommand('poundlock.restart', async () => {
    await deactivate();
    await start();
  });
  context.subscriptions.push(restart);
  await start();
}

export async function deactivate(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.dispose();
}
