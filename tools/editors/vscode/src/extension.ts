// The VS Code extension: lint while typing, check on save, schedules as debug sessions and pictures.
import { commands, debug, window, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { CheckOnSave } from './check-on-save.ts';
import { showDiagram } from './diagram-panel.ts';
import { configurationOf, ReplayDebug, type ReplayInput } from './replay-debug.ts';
import { installed } from './settings.ts';

const LANGUAGES = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

let client: LanguageClient | undefined;

function newClient(): LanguageClient | undefined {
  const settings = workspace.getConfiguration('poundlock');
  const poundlock = installed();
  if (poundlock === undefined) {
    void window.showWarningMessage(
      'poundlock is not installed in this workspace: `npm install --save-dev poundlock`, then run ' +
        '"poundlock: Restart the Language Server".',
    );
    return undefined;
  }
  return new LanguageClient(
    'poundlock',
    'poundlock',
    { command: poundlock.node, args: [poundlock.bin, 'lsp', '--stdio'] },
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

/** The file of a command: the one that it was called with, or that of the editor. */
function fileOf(input: unknown): string | undefined {
  return typeof input === 'string' ? input : window.activeTextEditor?.document.uri.fsPath;
}

export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  const checks = new CheckOnSave();
  const replays = new ReplayDebug();
  subscriptions.push(
    ...checks.start(),
    debug.registerDebugConfigurationProvider('poundlock', replays),
    debug.registerDebugAdapterDescriptorFactory('poundlock', replays),
    commands.registerCommand('poundlock.restart', async () => {
      await deactivate();
      await start();
    }),
    commands.registerCommand('poundlock.check', async () => {
      const document = window.activeTextEditor?.document;
      if (document !== undefined) await checks.check(document);
    }),
    commands.registerCommand('poundlock.replay', async (input?: ReplayInput) => {
      const program = fileOf(undefined);
      const wanted = input ?? (program === undefined ? undefined : { program });
      if (wanted !== undefined) await debug.startDebugging(undefined, configurationOf(wanted));
    }),
    commands.registerCommand('poundlock.diagram', (input?: string) => {
      const file = fileOf(input);
      const svg = file === undefined ? undefined : checks.pictureOf(file);
      if (file !== undefined && svg !== undefined) return showDiagram(file, svg);
      void window.showInformationMessage('poundlock: the last check of this file has no schedule');
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.dispose();
}
